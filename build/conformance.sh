#!/usr/bin/env bash
# The official conformance suite against our client. Further arguments go to the driver, such as -only sse.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
CGO_ENABLED=0 go build -o build/bin/conformance-client ./backend/conformance
(cd build/tools && go build -o ../cache/bin/conformance ./conformance)
exec build/cache/bin/conformance -root . "$@"

#!/usr/bin/env bash
# The whole gate. Each stage says how long it took; the first that fails ends it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

stage() {
  local name=$1 start=$SECONDS
  shift
  printf '\n== %s\n' "$name"
  "$@" || {
    printf '\n== %s FAILED after %d s\n' "$name" $((SECONDS - start)) >&2
    exit 1
  }
  printf '== %s: %d s\n' "$name" $((SECONDS - start))
}

unit_tests_of_go() {
  go test -race -timeout 15m -tags webkit2_41,desktop,production ./... | grep -v 'no test files'
  (cd build/tools && go test ./icons ./mcpload)
}
unit_tests_of_ui() { npm --prefix frontend run --silent test; }
browser() {
  go build -o build/cache/bin/mcpfake ./backend/mcptest/mcpfake
  APOLLIA_CHROMIUM=${APOLLIA_CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome-stable)}
  export APOLLIA_CHROMIUM
  npm --prefix frontend run --silent e2e
}

stage "set-up" build/setup.sh test
stage "check" build/check.sh
stage "programs" make --no-print-directory build
stage "unit tests, Go" unit_tests_of_go
stage "unit tests, UI" unit_tests_of_ui
stage "conformance" build/conformance.sh
stage "browser" browser
stage "real window" build/window/test.sh
stage "packages" build/package-test.sh
printf '\n== everything passed in %d s\n' $SECONDS

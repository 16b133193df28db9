#!/usr/bin/env bash
# Tests the window that ships, in a desktop session of its own. Words after it choose tests, as for unittest.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here"
export PYTHONDONTWRITEBYTECODE=1 PYTHONWARNINGS=ignore::DeprecationWarning
exec ./session.sh /usr/bin/python3 -m unittest -v "$@"

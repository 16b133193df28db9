#!/usr/bin/env bash
# Opens the window; without a display serves the same interface and prints its link.
set -euo pipefail
bin=$(cd "$(dirname "${BASH_SOURCE[0]}")/bin" && pwd)

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || [ "$(uname)" = Darwin ]; then
  exec "$bin/apollia-desktop"
fi
echo "There is no display here: open the link below in a browser. Ctrl C ends the program."
exec "$bin/apollia" serve

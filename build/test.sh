#!/usr/bin/env bash
# The whole gate. Each stage says how long it took; the first that fails ends it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

stage() {
  local name=$1 start=$SECONDS
  shift
  printf '\n== %s\n' "$name"
  # Not "$@" || ...: bash forgets -e inside a function that is part of a condition, and only its last command would count.
  set +e
  (set -e && "$@")
  local status=$?
  set -e
  [ $status -eq 0 ] || {
    printf '\n== %s FAILED after %d s\n' "$name" $((SECONDS - start)) >&2
    exit 1
  }
  printf '== %s: %d s\n' "$name" $((SECONDS - start))
}

# What ran is kept, so that the table of docs/protocol.md can be held against it at the end.
ran=$PWD/build/cache/ran

unit_tests_of_go() {
  build/cache/bin/gotestsum --format pkgname --format-hide-empty-pkg --jsonfile "$ran/go.json" -- \
    -race -timeout 15m -tags webkit2_41,desktop,production ./...
  (cd build/tools && go test ./icons ./mcpload)
}
unit_tests_of_ui() { npm --prefix frontend run --silent test -- --reporter=default --reporter=json --outputFile="$ran/ui.json"; }
browser() {
  go build -o build/cache/bin/mcpfake ./backend/mcptest/mcpfake
  go build -o build/cache/bin/oauthfake ./backend/oauthtest/oauthfake
  go build -o build/cache/bin/lanfake ./backend/lantest/lanfake
  APOLLIA_CHROMIUM=${APOLLIA_CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome-stable)}
  export APOLLIA_CHROMIUM
  PLAYWRIGHT_JSON_OUTPUT_FILE=$ran/browser.json npm --prefix frontend run --silent e2e -- --reporter=list,json
}
tables_of_tests() { APOLLIA_RAN=$ran go test ./backend -run '^Test(Protocol|Specification)Table'; }

stage "set-up" build/setup.sh test
rm -rf "$ran"
mkdir -p "$ran"
stage "check" build/check.sh
stage "programs" make --no-print-directory build
stage "unit tests, Go" unit_tests_of_go
stage "unit tests, UI" unit_tests_of_ui
stage "conformance" build/conformance.sh
stage "browser" browser
stage "real window" build/window/test.sh
stage "packages" build/package-test.sh
stage "tables of tests" tables_of_tests
printf '\n== everything passed in %d s\n' $SECONDS

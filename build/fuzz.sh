#!/usr/bin/env bash
# Fuzzes every parser for a while, one after the other: FUZZTIME each (60s), or only the targets whose name has $1 in it.
# An input that fails is written to testdata/fuzz beside its test, where every `go test` tries it again: commit it with
# what mends it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
time=${FUZZTIME:-60s}
failed=()

# targets prints "folder name" of each fuzz test.
targets() {
  grep -rHo --include='*_test.go' '^func Fuzz[A-Za-z0-9_]*' backend |
    sed -E 's|^(.*)/[^/]*:func (.*)$|\1 \2|' | sort
}

while read -r folder name; do
  [[ "$name" == *"${1:-}"* ]] || continue
  printf '== %s %s, %s\n' "$folder" "$name" "$time"
  # Go spends a minute on making one input smaller, during which it tries no other.
  go test -run '^$' -fuzz "^$name\$" -fuzztime "$time" -fuzzminimizetime 1s "./$folder" || failed+=("$folder $name")
done < <(targets)

[ ${#failed[@]} -eq 0 ] || {
  printf 'fuzz failed: %s\n' "${failed[@]}" >&2
  exit 1
}

#!/usr/bin/env bash
# The quick gate: format, lint, types, architecture, generated files. Says every complaint, then fails once.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
failed=()

# step NAME COMMAND... runs one check and remembers that it failed.
step() {
  local name=$1
  shift
  "$@" || failed+=("$name")
}

go_format() {
  local changes
  changes=$(build/cache/bin/golangci-lint fmt --diff) && [ -z "$changes" ] && return
  printf '%s\n' "$changes"
  echo "Go files are not formatted: run make fix" >&2
  return 1
}

# The generated files are those that the sources give now.
generated_is_fresh() {
  local folder
  folder=$(mktemp -d)
  go run ./backend/api/openapi >"$folder/openapi.json" &&
    (cd frontend && npx --no-install openapi-typescript "$folder/openapi.json" -o "$folder/raw.d.ts" >/dev/null &&
      npx --no-install prettier --stdin-filepath src/lib/api/schema.d.ts <"$folder/raw.d.ts" >"$folder/schema.d.ts") &&
    diff -u backend/api/openapi.json "$folder/openapi.json" >&2 &&
    diff -u frontend/src/lib/api/schema.d.ts "$folder/schema.d.ts" >&2
  local fresh=$?
  rm -r "$folder"
  [ $fresh -eq 0 ] || echo "Generated files are not fresh: run make gen" >&2
  return $fresh
}

# Every file that names the version names the same one.
one_version() {
  local version file
  version=$(cat build/VERSION)
  for file in wails.json frontend/package.json build/darwin/Info.plist; do
    grep -qF -e "\"$version\"" -e ">$version<" "$file" || {
      echo "$file does not have the version of build/VERSION, $version" >&2
      return 1
    }
  done
}

shell_scripts() { git ls-files '*.sh' '.ci/run' | xargs -n 1 bash -n; }

step "format of Go" go_format
step "lint of Go" build/cache/bin/golangci-lint run ./...
step "architecture of Go" go test ./backend
step "format, lint and types of the UI" npm --prefix frontend run --silent check
step "generated files" generated_is_fresh
step "one version" one_version
step "shell scripts" shell_scripts

[ ${#failed[@]} -eq 0 ] || {
  printf 'check failed: %s\n' "${failed[@]}" >&2
  exit 1
}

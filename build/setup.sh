#!/usr/bin/env bash
# Installs what this project needs and is not there yet: system packages, npm packages, Go tools.
# Usage: build/setup.sh run|check|test. Each word needs what the one before it needs, and more.
# With everything in place it starts no download and asks no registry, so it also works offline.
set -euo pipefail

level=${1:-run}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=$root/build/cache
min_go=1.26
min_node=20.19

say() { printf 'setup: %s\n' "$*"; }
fail() {
  printf 'setup: %s\n' "$@" >&2
  exit 1
}

# at_least WANTED FOUND compares dotted numbers.
at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

check_languages() {
  command -v go >/dev/null || fail "Go $min_go or newer is needed and was not found." "Install it from https://go.dev/dl and put it on the PATH."
  local go_found
  go_found=$(cd "$root" && go env GOVERSION) || fail "Go $min_go or newer is needed; the go command found here cannot read go.mod."
  at_least "$min_go" "${go_found#go}" || fail "Go $min_go or newer is needed; found ${go_found#go}." "Install it from https://go.dev/dl."

  command -v node >/dev/null || fail "Node $min_node or newer is needed and was not found." "Install it from https://nodejs.org."
  local node_found
  node_found=$(node --version)
  at_least "$min_node" "${node_found#v}" || fail "Node $min_node or newer is needed; found ${node_found#v}." "Install it from https://nodejs.org."
  command -v npm >/dev/null || fail "npm was not found; it comes with Node $min_node from https://nodejs.org."
}

# has KIND NAME says whether a thing is there, on any system.
has() {
  case $1 in
    command) command -v "$2" >/dev/null ;;
    library) pkg-config --exists "$2" 2>/dev/null ;;
    file) [ -e "$2" ] ;;
    python) /usr/bin/python3 -c "$2" >/dev/null 2>&1 ;;
    fonts) [ -n "$(fc-list 2>/dev/null)" ] ;;
    chromium) browser >/dev/null ;;
  esac
}

browser() { command -v "${APOLLIA_CHROMIUM:-}" || command -v chromium || command -v chromium-browser || command -v google-chrome-stable; }

# One line a need: what to look for, then the packages that bring it on Debian and Ubuntu.
needs() {
  [ "$level" = check ] || cat <<'LIST'
command xdg-open|xdg-utils
LIST
  cat <<'LIST'
command gcc|build-essential
command pkg-config|pkg-config
library gtk+-3.0|libgtk-3-dev
library webkit2gtk-4.1|libwebkit2gtk-4.1-dev
LIST
  [ "$level" != test ] || cat <<'LIST'
command Xvfb|xvfb
command xauth|xauth
command dbus-run-session|dbus
command gnome-keyring-daemon|gnome-keyring
file /usr/libexec/at-spi-bus-launcher|at-spi2-core
python import gi; gi.require_version("Atspi", "2.0")|python3-gi gir1.2-atspi-2.0
command xdotool|xdotool
command xprop|x11-utils
command openbox|openbox
command import|imagemagick
command desktop-file-validate|desktop-file-utils
fonts any|fonts-liberation fontconfig
chromium any|chromium
command ip|iproute2
command unshare|util-linux
LIST
}

# Ubuntu has Chromium only as a snap, behind this package.
package_here() {
  # shellcheck disable=SC1091 # described in os-release(5)
  if [ "$1" = chromium ] && [ "$(. /etc/os-release && echo "$ID")" = ubuntu ]; then echo chromium-browser; else echo "$1"; fi
}

install_system_packages() {
  local kind what packages package missing=()
  while IFS='|' read -r what packages; do
    kind=${what%% *}
    has "$kind" "${what#* }" && continue
    for package in $packages; do missing+=("$(package_here "$package")"); done
  done < <(needs)
  [ ${#missing[@]} -eq 0 ] && return

  command -v apt-get >/dev/null || fail \
    "This system has no apt-get, so nothing was installed. Under Debian's names, these packages are missing:" \
    "  ${missing[*]}" "Install what your system calls them, then run the same command again."
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "These packages are missing: ${missing[*]}" "As root, run: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  say "installing system packages: ${missing[*]}"
  mkdir -p "$cache"
  "${as_root[@]}" apt-get update -qq >"$cache/apt.log" 2>&1 ||
    fail "apt-get update failed: is this machine online? Missing packages: ${missing[*]}" "$(tail -n 5 "$cache/apt.log")"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >"$cache/apt.log" 2>&1 ||
    fail "apt-get could not install all of: ${missing[*]}" "$(tail -n 15 "$cache/apt.log")"

  local left=()
  while IFS='|' read -r what packages; do
    has "${what%% *}" "${what#* }" || left+=("$packages")
  done < <(needs)
  [ ${#left[@]} -eq 0 ] || fail "Still missing after the installation: ${left[*]}"
}

digest() { cat "$@" | sha256sum | cut -c 1-16; }

# npm_packages FOLDER installs the locked packages when the lock file has changed since the last time.
npm_packages() {
  local folder=$root/$1 stamp=$root/$1/node_modules/.installed-lock want
  want=$(digest "$folder/package-lock.json")
  [ "$(cat "$stamp" 2>/dev/null)" = "$want" ] && return
  say "installing the npm packages of $1"
  (cd "$folder" && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --prefer-offline --no-audit --no-fund --loglevel=error)
  echo "$want" >"$stamp"
}

# go_tool NAME PACKAGE builds a tool pinned in build/tools/go.mod, once per version and Go release.
go_tool() {
  local name=$1 package=$2 want binary
  want=$(digest "$root/build/tools/go.sum")-$(go env GOVERSION)
  binary=$cache/bin/$name
  [ -x "$binary" ] && [ "$(cat "$binary.built-from" 2>/dev/null)" = "$want" ] && return
  say "building $name"
  mkdir -p "$cache/bin"
  (cd "$root/build/tools" && GOFLAGS=-mod=readonly go build -trimpath -ldflags '-s -w' -o "$binary" "$package")
  echo "$want" >"$binary.built-from"
}

# npx_cache fills a private npm cache with one server, so that the tests run "npx -y name@version" offline.
npx_cache() {
  local want=@modelcontextprotocol/server-everything version folder stamp=$cache/npm/.primed
  version=$(sed -n "s|.*\"$want\": \"\(.*\)\".*|\1|p" "$root/build/servers/package.json")
  [ "$(cat "$stamp" 2>/dev/null)" = "$want@$version" ] && return
  say "filling the npx cache with $want@$version"
  mkdir -p "$cache/npm"
  folder=$(mktemp -d)
  (cd "$folder" && npm_config_cache=$cache/npm npm exec --yes --loglevel=error --package="$want@$version" -- node -e 0)
  rmdir "$folder"
  echo "$want@$version" >"$stamp"
}

check_languages
install_system_packages
npm_packages frontend
if [ "$level" != run ]; then
  go_tool golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint
fi
if [ "$level" = test ]; then
  go_tool gotestsum gotest.tools/gotestsum
  npm_packages build/servers
  npm_packages build/conformance
  npx_cache
fi

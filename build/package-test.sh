#!/usr/bin/env bash
# Installs the .deb into an empty root, runs what it brought, removes it, and looks at what is left.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
version=$(cat build/VERSION)
build/package.sh "$version" this >/dev/null
deb=dist/apollia_${version}_$(go env GOARCH).deb
root=$(mktemp -d)
# shellcheck disable=SC2064 # the folder of now is meant
trap "rm -rf '$root'" EXIT
fail() {
  printf 'package: %s\n' "$*" >&2
  exit 1
}

(cd dist && sha256sum --quiet -c SHA256SUMS)
desktop-file-validate build/linux/apollia.desktop

mkdir -p "$root"/var/lib/dpkg/{info,updates,triggers}
touch "$root/var/lib/dpkg/status"
database() { dpkg --root="$root" --log=/dev/null --force-depends --force-not-root --force-script-chrootless "$@" >/dev/null 2>"$root/dpkg.err" || fail "$(cat "$root/dpkg.err")"; }
database --install "$deb"
[ "$("$root/usr/bin/apollia" version)" = "$(build/bin/apollia version)" ] || fail "the installed command line gives another version"
[ "$("$root/usr/bin/apollia-desktop" --version)" = "$version" ] || fail "the installed window gives another version"
! ldd "$root/usr/bin/apollia" >/dev/null 2>&1 || fail "the command line is not static"
! ldd "$root/usr/bin/apollia-desktop" | grep 'not found' || fail "the window misses libraries"
APOLLIA_PROGRAMS=$root/usr/bin build/window/test.sh test_window.WindowTest.test_opens_with_its_name_and_page

database --remove apollia
left=$(find "$root/usr" -not -type d 2>/dev/null || true)
[ -z "$left" ] || fail "removing the package leaves $left"
listed=$(tar -tzf "dist/apollia-desktop_${version}_linux_$(go env GOARCH).tar.gz")
grep -q "/bin/apollia-desktop$" <<<"$listed" || fail "the archive has no window"
echo "package: installed, ran and was removed"

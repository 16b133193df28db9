#!/usr/bin/env bash
# Makes what people install, into dist/: for Linux a .deb and a .tar.gz with both programs, and the static command line
# for every system. Usage: build/package.sh VERSION [this]; "this" leaves out what other systems run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
version=$1
only=${2:-all}
arch=$(go env GOARCH)
work=$(mktemp -d)
# shellcheck disable=SC2064 # the folder of now is meant
trap "rm -rf '$work' rsrc_windows_*.syso" EXIT
rm -rf dist
mkdir -p dist
# The same sources give the same files.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || date +%s)
export SOURCE_DATE_EPOCH

archive() { # FILE FOLDER
  tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "$2" -cf - . | gzip -n9 >"$1"
}

# lay_out ROOT puts both programs and what the desktop needs of them where Linux looks for it.
lay_out() {
  local root=$1 size
  install -Dm755 -t "$root/bin" build/bin/apollia build/bin/apollia-desktop
  install -Dm644 -t "$root/share/applications" build/linux/apollia.desktop
  for size in 16 24 32 48 64 128 256 512; do
    install -Dm644 "build/icons/apollia-$size.png" "$root/share/icons/hicolor/${size}x$size/apps/apollia.png"
  done
  install -Dm644 build/icons/apollia.svg "$root/share/icons/hicolor/scalable/apps/apollia.svg"
  install -Dm644 build/icons/apollia-mono.svg "$root/share/icons/hicolor/symbolic/apps/apollia-symbolic.svg"
  mkdir -p "$root"/share/{bash-completion/completions,fish/vendor_completions.d,zsh/vendor-completions}
  build/bin/apollia completion bash >"$root/share/bash-completion/completions/apollia"
  build/bin/apollia completion fish >"$root/share/fish/vendor_completions.d/apollia.fish"
  build/bin/apollia completion zsh >"$root/share/zsh/vendor-completions/_apollia"
  install -Dm644 LICENSE "$root/share/doc/apollia/copyright"
  gzip -n9c CHANGELOG.md >"$root/share/doc/apollia/changelog.gz"
}

newest_glibc() { objdump -T build/bin/apollia-desktop | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -V | tail -n 1; }

linux_archive() {
  lay_out "$work/archive/apollia-$version"
  install -m644 README.md LICENSE "$work/archive/apollia-$version"
  archive "dist/apollia-desktop_${version}_linux_$arch.tar.gz" "$work/archive"
}

deb() {
  local root=$work/deb
  lay_out "$root/usr"
  mkdir "$root/DEBIAN"
  (cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
  cat >"$root/DEBIAN/control" <<CONTROL
Package: apollia
Version: $version
Architecture: $arch
Maintainer: Apollia Connexions contributors <contributors@apollia.fr>
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Depends: libc6 (>= $(newest_glibc)), libgtk-3-0 (>= 3.22) | libgtk-3-0t64, libwebkit2gtk-4.1-0 (>= 2.38)
Recommends: gnome-keyring | kwalletmanager | keepassxc, xdg-utils
Section: devel
Priority: optional
Description: connects MCP servers to agents, with a person in charge
 Apollia Connexions adds, tests and runs MCP servers, shows what their tools do
 and asks before a tool acts. It comes as a window and as the command apollia.
CONTROL
  find "$root" -type d -exec chmod 755 {} +
  dpkg-deb --root-owner-group -Zxz --build "$root" "dist/apollia_${version}_$arch.deb" >/dev/null
}

# command_line OS ARCH builds the static program for one system.
command_line() {
  local os=$1 arch=$2 file="dist/apollia_${version}_$1_$2"
  [ "$os" != windows ] || file+=.exe
  CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -trimpath -ldflags "-s -w -X main.version=$version" -o "$file" ./backend/cmd/apollia
}

# windows_window ARCH builds the window for Windows, with its icon, version and manifest. It has not been run.
windows_window() {
  local file=dist/apollia-desktop_${version}_windows_$1.exe
  CGO_ENABLED=0 GOOS=windows GOARCH=$1 go build -trimpath -tags desktop,production \
    -ldflags "-s -w -H windowsgui -X main.version=$version" -o "$file" .
}

linux_archive
deb
if [ "$only" = all ]; then
  for os in linux darwin windows; do
    for cpu in amd64 arm64; do command_line "$os" "$cpu"; done
  done
  (cd build/tools && go run ./winresource -version "$version" -folder ../..)
  for cpu in amd64 arm64; do windows_window "$cpu"; done
  rm rsrc_windows_*.syso
fi
(cd dist && sha256sum -- * >SHA256SUMS && ls -l)

#!/usr/bin/env bash
# Runs a command in a desktop session of its own: HOME, display, D-Bus, accessibility bus and unlocked keyring, all
# private and all gone afterwards. Usage: build/window/session.sh COMMAND...
set -euo pipefail

session=$(mktemp -d)
# shellcheck disable=SC2064 # the folder of now is meant
trap "rm -rf '$session'" EXIT
export HOME=$session/home XDG_RUNTIME_DIR=$session/run LC_ALL=${SESSION_LOCALE:-C.UTF-8}
mkdir -m 700 "$HOME" "$XDG_RUNTIME_DIR"
export XDG_CONFIG_HOME=$HOME/.config XDG_DATA_HOME=$HOME/.local/share XDG_CACHE_HOME=$HOME/.cache
mkdir -p "$XDG_DATA_HOME/keyrings"
unset DBUS_SESSION_BUS_ADDRESS WAYLAND_DISPLAY DISPLAY
export GDK_BACKEND=x11 NO_AT_BRIDGE=0 GTK_A11Y=atspi

# -displayfd lets the server choose a free display, so that two sessions never meet; without -noreset it would be gone
# for a moment whenever its last client ends.
mkfifo "$session/display"
Xvfb -displayfd 3 -screen 0 "${SESSION_SCREEN:-1280x900}x24" -nolisten tcp -noreset 3>"$session/display" 2>/dev/null &
xvfb=$!
read -r number <"$session/display"
export DISPLAY=:$number
until xdotool getdisplaygeometry >/dev/null 2>&1; do kill -0 "$xvfb"; sleep 0.05; done

# What the session's own services say is of no interest to anybody; the command keeps its output.
status=0
exec 8>&1 9>&2
# shellcheck disable=SC2016 # the inner shell expands it
dbus-run-session -- bash -c '
  eval "$(printf test | gnome-keyring-daemon --unlock --components=secrets | sed "s/^/export /")"
  openbox & until xprop -root _NET_SUPPORTING_WM_CHECK | grep -q "window id"; do sleep 0.05; done
  "$@" >&8 2>&9' session "$@" >"$session/services.log" 2>&1 || status=$?
kill "$xvfb" 2>/dev/null && wait "$xvfb" 2>/dev/null || true
exit "$status"

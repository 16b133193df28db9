#!/usr/bin/env bash
# Runs a command in a network of its own, with this computer and two neighbours in it: what the tests send reaches nobody else.
# The links stay as they are while the tests run, since Chromium drops what it loads when an address comes or goes.
set -euo pipefail

# A neighbour is a network of its own number, held by a process that ends with the command.
neighbour() {
  local number=$1 holder
  setpriv --pdeathsig KILL unshare --net sleep infinity </dev/null >/dev/null 2>&1 &
  holder=$!
  until [[ $(readlink "/proc/$holder/exe") == */sleep ]]; do
    kill -0 "$holder"
    sleep 0.02
  done
  ip link add "here$number" type veth peer name there netns "$holder"
  ip addr add "10.77.$number.1/24" dev "here$number"
  ip link set "here$number" addrgenmode none up
  nsenter -t "$holder" -n ip link set lo up
  nsenter -t "$holder" -n ip addr add "10.77.$number.2/24" dev there
  nsenter -t "$holder" -n ip link set there addrgenmode none up
  export APOLLIA_E2E_NEIGHBOURS="${APOLLIA_E2E_NEIGHBOURS:+$APOLLIA_E2E_NEIGHBOURS }$holder"
}

if [[ ${1-} != --inside ]]; then
  unset APOLLIA_E2E_NEIGHBOURS
  exec unshare --map-root-user --net -- bash "$0" --inside "$@"
fi
shift
ip link set lo up
neighbour 0
neighbour 1
exec "$@"

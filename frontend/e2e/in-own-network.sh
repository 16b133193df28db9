#!/usr/bin/env bash
# Runs a command in a network of its own, with this computer alone in it: what the tests send reaches nobody else, and they
# may add other computers of theirs.
set -euo pipefail
exec unshare --map-root-user --net -- bash -c 'ip link set lo up && exec "$@"' in-own-network "$@"

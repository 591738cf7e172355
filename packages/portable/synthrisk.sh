#!/bin/sh
# Follows links, so that one on the path works as well.
here=$(dirname "$(readlink -f "$0")")
exec "$here/node/node" "$here/program/dist/synthrisk.mjs" "$@"

#!/bin/sh
# confine-runtime.sh [--hide DIRECTORY]... PROGRAM [ARGUMENT]...
#
# Runs a runtime in namespaces of its own (Linux, util-linux 2.35), as the user that starts it. Of the processes of that
# user it may not read the memory, the environment or the open files, the service's among them, which may hold
# MASTER_KEY. DATA_DIR is empty there but for the runtime's own STATE_DIR, and so is each directory to hide.
#
# Ends with a message, and runs nothing, where the system allows no user namespaces.
set -eu

if [ "${1-}" != --inside ]; then
  exec unshare --user --map-root-user --mount -- sh "$0" --inside "$(id -u)" "$(id -g)" --hide "$ACP_DATA_DIR" "$@"
fi
user=$2
group=$3
shift 3
# Held as the working directory: by its name it is out of reach once what is above it is hidden.
cd "$STATE_DIR"
while [ "${1-}" = --hide ]; do
  mkdir -p "$2"
  mount -t tmpfs -o size=64k,mode=0755 tmpfs "$2"
  shift 2
done
mkdir -p "$STATE_DIR"
mount --no-canonicalize --bind . "$STATE_DIR"
cd /
unset PWD OLDPWD
# Once more, so that the program may undo none of that.
exec unshare --user --map-user="$user" --map-group="$group" -- "$@"

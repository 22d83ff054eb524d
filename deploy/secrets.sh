#!/bin/sh
# Makes deploy/.env, once: the secrets of compose.yaml, and the group that may use Docker's socket. Settings for the
# control plane may be added there (docs/settings.md).
set -eu
cd "$(dirname "$0")"
if [ -e .env ]; then
  echo "deploy/.env is there already and stays as it is" >&2
  exit 0
fi
socket=${DOCKER_SOCKET:-/var/run/docker.sock}
if [ ! -S "$socket" ]; then
  echo "there is no socket $socket: start Docker, or name its socket by DOCKER_SOCKET" >&2
  exit 1
fi
umask 077
random() { head -c 32 /dev/urandom | base64 | tr -d '\n'; }
# Written beside and then moved, so that a half-written file is never taken for a whole one.
cat > .env.new <<SECRETS
# Keep MASTER_KEY in another place, too: the database is worth nothing without it.
MASTER_KEY=$(random)
OPERATIONS_TOKEN=$(random)
POSTGRES_PASSWORD=$(head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n')
DOCKER_SOCKET=$socket
DOCKER_GROUP=$(stat -c %g "$socket")
SECRETS
mv .env.new .env
echo "deploy/.env has new secrets" >&2

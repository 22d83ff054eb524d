#!/bin/sh
# Tries both images as they are meant to run: user 10001, a read-only root, no capability. Needs a Docker or Podman
# (DOCKER_HOST) with the images and with POSTGRES_IMAGE; without one it says so and does nothing. All is asked inside of
# containers, so the engine may be on another machine.
set -eu
docker=${DOCKER:-docker}
if ! $docker version >/dev/null 2>&1; then
  echo 'there is no Docker here: the images were not tried'
  exit 0
fi
name=acp-check-$$
network=$name
server=$name-server
database=$name-database
ended() {
  code=$?
  [ $code = 0 ] || $docker logs "$server" 2>&1 | tail -20 || true
  $docker rm --force --volumes "$server" "$database" >/dev/null 2>&1 || true
  $docker network rm "$network" >/dev/null 2>&1 || true
  exit $code
}
trap ended EXIT
trap 'exit 1' INT TERM

hardened='--read-only --cap-drop ALL --security-opt no-new-privileges --tmpfs /tmp'
password=$(head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n')

echo 'runtime: starts, and says which settings it lacks'
said=$($docker run --rm $hardened --network none "${RUNTIME_IMAGE:-agent-control-plane-runtime}" 2>&1) && exit 1
case $said in *'CONTROL_PLANE_URL is missing'*) ;; *) echo "$said"; exit 1 ;; esac

echo 'server: starts on an empty database'
$docker network create --internal "$network" >/dev/null
$docker run --detach --name "$database" --network "$network" --network-alias database \
  --env POSTGRES_PASSWORD="$password" "${POSTGRES_IMAGE:-postgres:18-bookworm}" >/dev/null
$docker run --detach --name "$server" --network "$network" $hardened --volume /data \
  --env DATABASE_URL="postgres://postgres:$password@database/postgres" \
  --env MASTER_KEY="$(head -c 32 /dev/urandom | base64)" --env OPERATIONS_TOKEN="$password" \
  --env ACP_OPERATIONS_TOKEN="$password" "${SERVER_IMAGE:-agent-control-plane}" >/dev/null
# Each try ends at the first answer, and the last one shows what is wrong.
ask() { $docker exec "$server" node --input-type=module --eval "$1"; }
ask 'const url = "http://127.0.0.1:8080/readyz";
  for (let tries = 0; tries < 120; tries++) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) { console.log("  " + await answer.text()); process.exit(0); }
    await new Promise((done) => setTimeout(done, 500));
  }
  process.exit(1);'

echo 'server: has a user without rights'
ask 'import { readFileSync, writeFileSync } from "node:fs";
  const status = readFileSync("/proc/self/status", "utf8");
  for (const line of ["Uid:\t10001\t", "CapEff:\t0000000000000000", "CapBnd:\t0000000000000000", "NoNewPrivs:\t1"])
    if (!status.includes(line)) throw new Error(line);
  try { writeFileSync("/app/new", ""); } catch ({ code }) { if (code === "EROFS") process.exit(0); }
  throw new Error("its root can be written");'

echo 'server: hashes a password, and signs in with it'
$docker exec "$server" agentctl bootstrap --admin-email admin@example.com --save-profile first >/dev/null
$docker exec "$server" agentctl recipes list >/dev/null

echo 'server: serves its pages, and TLS on 8443'
ask 'import { connect } from "node:tls";
  const page = await fetch("http://127.0.0.1:8080/");
  if (!page.ok || !(await page.text()).includes("<script")) throw new Error("no page: " + page.status);
  const socket = connect({ host: "127.0.0.1", port: 8443, rejectUnauthorized: false });
  socket.once("secureConnect", () => { console.log("  " + socket.getProtocol()); process.exit(0); });'

echo 'server: stops by itself'
$docker stop --time 30 "$server" >/dev/null
[ "$($docker inspect --format '{{.State.ExitCode}}' "$server")" = 0 ]
echo 'both images work'

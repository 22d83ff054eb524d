#!/bin/sh
# Shows what a runtime's container reaches, from inside one that runs: docs/docker.md. It ends with 1 when something is open
# that every version of Docker and Podman has to close. DOCKER names another client, DOCKER_HOST another engine.
set -eu
docker=${DOCKER:-docker}
label=agent-control-plane
runtimes=$($docker ps --quiet --filter "label=$label.instance")
[ -n "$runtimes" ] || { echo 'no runtime runs here' >&2; exit 2; }

tenant_of() { $docker inspect --format "{{index .Config.Labels \"$label.tenant\"}}" "$1"; }
addresses_of() { $docker inspect --format '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}' "$1"; }

first=$(set -- $runtimes; echo "$1")
tries="internet=1.1.1.1:443 metadata=169.254.169.254:80"
other=''
for each in $runtimes; do
  [ "$(tenant_of "$each")" = "$(tenant_of "$first")" ] || other=$each
done
if [ -n "$other" ]; then
  for address in $(addresses_of "$other"); do tries="$tries other-tenant=$address:8700"; done
else
  echo 'only one tenant has a runtime here: whether it reaches another one was not tried' >&2
fi
# Containers of compose: the database, and the service at its other addresses.
for each in $($docker ps --quiet --filter 'label=com.docker.compose.project'); do
  name=$($docker inspect --format '{{index .Config.Labels "com.docker.compose.service"}}' "$each")
  networks=$($docker inspect --format '{{range $name, $at := .NetworkSettings.Networks}}{{$name}}={{$at.IPAddress}} {{end}}' "$each")
  for at in $networks; do
    port=8080; [ "$name" != postgres ] || port=5432
    case $at in acp-*|*=) ;; *) tries="$tries $name=${at#*=}:$port" ;; esac
  done
done
for network in $($docker network ls --quiet --filter driver=bridge); do
  own=$($docker network inspect --format "{{index .Labels \"$label.tenant\"}}" "$network")
  kind=machine; [ "$own" != "$(tenant_of "$first")" ] || kind=own-gateway
  for address in $($docker network inspect --format '{{range .IPAM.Config}}{{.Gateway}} {{end}}' "$network"); do
    tries="$tries $kind=$address:22"
  done
done

# An answer of any kind is reach: a refusal, too, comes from over there. The service's own ports are the exception.
exec $docker exec "$first" node --input-type=module --eval '
  import { connect } from "node:net";
  const service = new URL(process.env.CONTROL_PLANE_MTLS_URL).hostname;
  const closedBy = { ECONNREFUSED: "refused" };
  const attempt = (host, port) => new Promise((done) => {
    const socket = connect({ host, port: Number(port), timeout: 3000 });
    const end = (answer) => { socket.destroy(); done(answer); };
    socket.on("connect", () => end("open")).on("timeout", () => end("no answer"));
    socket.on("error", ({ code }) => end(closedBy[code] ?? `no way (${code})`));
  });
  const tries = process.argv.slice(1).map((text) => text.split("="));
  tries.unshift(["service", `${service}:8443`], ["service", `${service}:8080`]);
  let faults = 0;
  for (const [name, place] of tries) {
    const [host, port] = place.split(":");
    const answer = await attempt(host, port);
    const wanted = name !== "service" ? /^no/ : port === "8443" ? /^open$/ : /^(?!open)/;
    const isFine = wanted.test(answer);
    const isOlder = !isFine && ["own-gateway", "machine"].includes(name);
    if (!isFine && !isOlder) faults++;
    const verdict = isFine ? "as it should be" : isOlder ? "open before Docker 27.1, and with Podman" : "WRONG";
    console.log(`${name.padEnd(14)} ${place.padEnd(24)} ${answer.padEnd(20)} ${verdict}`);
  }
  process.exit(faults > 0 ? 1 : 0);' $tries

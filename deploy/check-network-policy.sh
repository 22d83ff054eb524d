#!/bin/sh
# Shows what a runtime's pod reaches, from inside one that runs: docs/kubernetes.md. It ends with 1 when something is open
# that the network policies close. $1 and $2: the release and its namespace, by default acp and control-plane; RUNTIMES names
# the namespace of runtimes, KUBECTL another client.
set -eu
kubectl=${KUBECTL:-kubectl}
release=${1:-acp}
namespace=${2:-control-plane}
runtimes=${RUNTIMES:-$release-runtimes}

pods=$($kubectl --namespace "$runtimes" get pods --field-selector status.phase=Running \
  --output jsonpath='{range .items[*]}{.metadata.name}={.status.podIP} {end}')
[ -n "$pods" ] || { echo "no runtime runs in $runtimes" >&2; exit 2; }
first=${pods%%=*}
tries="api-server=kubernetes.default.svc:443 metadata=169.254.169.254:80 internet=1.1.1.1:443"
tries="$tries service=$release.$namespace.svc:8080 runtimes-port=$release-runtimes.$namespace.svc:8443"
others=0
for pod in $pods; do
  case $pod in "$first"=*) ;; *) tries="$tries other-runtime=${pod#*=}:8700"; others=1; break ;; esac
done
[ "$others" = 1 ] || echo 'only one runtime runs: whether it reaches another one was not tried' >&2

# A refusal, too, comes from over there. A pod with the label for the internet reaches it, so take one without.
exec $kubectl --namespace "$runtimes" exec "$first" -- node --input-type=module --eval '
  import { connect } from "node:net";
  const attempt = (host, port) => new Promise((done) => {
    const socket = connect({ host, port: Number(port), timeout: 3000 });
    const end = (answer) => { socket.destroy(); done(answer); };
    socket.on("connect", () => end("open")).on("timeout", () => end("no answer"));
    socket.on("error", ({ code }) => end(code === "ECONNREFUSED" ? "refused" : `no way (${code})`));
  });
  let faults = 0;
  for (const text of process.argv.slice(1)) {
    const [name, place] = text.split("=");
    const at = place.lastIndexOf(":");
    const answer = await attempt(place.slice(0, at), place.slice(at + 1));
    const isFine = name === "runtimes-port" ? answer === "open" : answer.startsWith("no");
    if (!isFine) faults++;
    console.log(`${name.padEnd(14)} ${place.padEnd(44)} ${answer.padEnd(20)} ${isFine ? "as it should be" : "WRONG"}`);
  }
  process.exit(faults > 0 ? 1 : 0);' $tries

// Loaded into the service: signals make its main thread stand still.
function loopForEver() {
  for (let count = 0; ; count++) if (count < 0) return;
}

function matchForEver() {
  return /^(a+)+$/.test(`${'a'.repeat(50)}b`);
}

process.on('SIGUSR2', loopForEver);
process.on('SIGPIPE', matchForEver);

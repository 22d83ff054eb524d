// Runs inside the network of a runtime (confine-runtime.sh): its loopback addresses lead to the sockets of the service,
// and the service's connections at a socket lead to the runtime's port. So a runtime speaks HTTP over TCP as anywhere.
import { existsSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';

const { HOST, PORT, CONTROL_PLANE_URL, CONTROL_PLANE_MTLS_URL, HTTPS_PROXY } = process.env;
/** The service's sockets, as confine-runtime.sh shows them. */
const SERVICE = '/wire';
/** STATE_DIR by a short name: a socket's path has at most 107 bytes. */
const OWN = '/state/runtime.sock';

/** Once it listens, each connection at `from` is joined with one to `to`. */
const join = (from, to) =>
  new Promise((resolve, reject) => {
    const server = createServer({ allowHalfOpen: true }, (near) => {
      const far = connect({ ...to, allowHalfOpen: true });
      near.pipe(far).pipe(near);
      near.on('error', () => far.destroy()).on('close', () => far.destroy());
      far.on('error', () => near.destroy()).on('close', () => near.destroy());
    });
    server.once('error', reject).listen(from, resolve).unref();
  });

const addressOf = (url) => ({ host: HOST, port: Number(new URL(url).port) });

const ways = [
  [CONTROL_PLANE_URL, `${SERVICE}/http.sock`],
  [CONTROL_PLANE_MTLS_URL, `${SERVICE}/mtls.sock`],
  [HTTPS_PROXY, `${SERVICE}/internet.sock`],
].filter(([url, path]) => url && existsSync(path));
for (const [url, path] of ways) await join(addressOf(url), { path });
rmSync(OWN, { force: true });
await join({ path: OWN }, { host: HOST, port: Number(PORT) });

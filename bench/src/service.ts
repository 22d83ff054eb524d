import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { isAnswered } from './call.ts';
import { freePort } from './ports.ts';
import { Process } from './processes.ts';

const MAIN = join(import.meta.dirname, '../../server/dist/main.js');

/** Settings shared by all copies of the service on one database. */
export interface Installation {
  directory: string;
  database_url: string;
  master_key: string;
  operations_token: string;
}

export const newInstallation = (directory: string, database_url: string): Installation => ({
  directory,
  database_url,
  master_key: randomBytes(32).toString('base64'),
  operations_token: randomBytes(16).toString('hex'),
});

export interface RunningService {
  base_url: string;
  mtls_url: string;
  pid: number;
  stop(): Promise<void>;
  /** Its runtimes stay. */
  kill(): Promise<void>;
}

/**
 * Starts the service as in production: its own process, a server database, a log file.
 *
 * @param name of its directory and log
 */
export async function startService(
  installation: Installation,
  name: string,
  {
    role = 'api',
    main = MAIN,
    nodeArgs = [],
    environment = {},
    ports,
  }: {
    role?: string;
    main?: string;
    nodeArgs?: string[];
    environment?: Readonly<Record<string, string>>;
    /** Free ones by default. */
    ports?: { port: number; mtls_port: number };
  } = {},
): Promise<RunningService> {
  const { directory, database_url, master_key, operations_token } = installation;
  const { port, mtls_port } = ports ?? { port: await freePort(), mtls_port: await freePort() };
  const service = new Process({
    command: process.execPath,
    args: [...nodeArgs, main],
    environment: {
      NODE_ENV: 'production',
      DATA_DIR: join(directory, name),
      DATABASE_URL: database_url,
      MASTER_KEY: master_key,
      OPERATIONS_TOKEN: operations_token,
      LOG_LEVEL: 'info',
      ROLE: role,
      PORT: String(port),
      MTLS_PORT: String(mtls_port),
      ...tracing(),
      ...environment,
    },
    log: join(directory, `${name}.log`),
  });
  const base_url = `http://127.0.0.1:${port}`;
  await service.ready(() => isAnswered(base_url, { method: 'GET', path: '/readyz' }));
  const mtls_url = `https://127.0.0.1:${mtls_port}`;
  const { pid } = service;
  return { base_url, mtls_url, pid, stop: () => service.stop(), kill: () => service.stop('SIGKILL') };
}

/** Traces go where this process's environment says, so that their cost can be measured. */
const tracing = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('OTEL_')));

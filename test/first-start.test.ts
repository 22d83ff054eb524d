import { once } from 'node:events';
import { readFileSync, watch } from 'node:fs';
import { access, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { freePort } from '../bench/src/ports.ts';
import { queryOnce } from '../server/test/support/connection.ts';
import { createTestDatabase } from '../server/test/support/database.ts';
import { type Credentials, ServerProcess } from './server-process.ts';

let server: ServerProcess;
let path: string;
beforeEach(async () => {
  server = await ServerProcess.inEmptyDirectory();
  path = join(server.dataDir, 'credentials.json');
});
afterEach(() => server.remove());

const statusOf = ({ base_url, api_key }: Credentials) =>
  fetch(`${base_url}/v1/recipes`, { headers: { 'x-api-key': api_key } }).then(({ status }) => status);

async function occupyPort(): Promise<{ other: Server; port: number }> {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  return { other, port: (other.address() as AddressInfo).port };
}

it('credentials.json works as soon as it exists', async () => {
  const found = new Promise<Credentials>((resolve) => {
    const watcher = watch(server.dataDir, (_event, name) => {
      if (name !== 'credentials.json') return;
      watcher.close();
      resolve(JSON.parse(readFileSync(path, 'utf8')) as Credentials);
    });
  });
  const [first, started] = await Promise.all([found, server.start()]);
  expect(first).toEqual(started);
  expect(await statusOf(first)).toBe(200);
});

it('the first start alone prints a link, which signs the admin in at PUBLIC_URL', async () => {
  const first = await server.start({ HOST: '0.0.0.0' });
  await vi.waitUntil(() => server.output.includes('try next'), { timeout: 180_000 });
  const port = new URL(first.base_url).port;
  const [, token] = /dashboard +http:\/\/127\.0\.0\.1:\d+\/start#token=(\S+)\n/.exec(server.output) ?? [];
  expect(Object.keys(first).toSorted()).toEqual(
    ['admin', 'api_key', 'base_url', 'mtls_url', 'operations_token', 'tenant_id'].toSorted(),
  );
  const signed = await fetch(`http://127.0.0.1:${port}/auth/browser-session/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ token }),
  });
  expect([signed.status, await signed.json()]).toMatchObject([200, { tenant_id: first.tenant_id }]);
  await server.end('SIGTERM');
  await server.start({ PUBLIC_URL: 'https://agents.example.com' });
  await vi.waitUntil(() => server.output.includes('try next'), { timeout: 180_000 });
  expect(server.output).toMatch(/dashboard +https:\/\/agents\.example\.com /);
  expect(server.output).not.toContain('#token=');
});

it('credentials exist once /readyz answers 200', async () => {
  const port = await freePort();
  const started = server.start({ PORT: String(port) });
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await vi.waitUntil(isReady, { interval: 1, timeout: 180_000 });
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(await started);
});

it('a first start that fails after creating the tenant loses no credentials', async () => {
  const { other, port } = await occupyPort();
  await expect(server.start({ PORT: String(port) })).rejects.toThrow('PORT');
  await expect(access(path)).rejects.toThrow('ENOENT');
  other.close();
  expect(await statusOf(await server.start())).toBe(200);
});

it('nothing is created unasked on a server database, and the next command is printed', async () => {
  const database = await createTestDatabase();
  const MASTER_KEY = Buffer.alloc(32).toString('base64');
  await expect(server.start({ DATABASE_URL: database.url, MASTER_KEY })).rejects.toThrow('ENOENT');
  await vi.waitUntil(() => server.output.includes('try next'), { timeout: 180_000 });
  expect(server.output).toMatch(/try next +npx agentctl bootstrap +\(.*ACP_OPERATIONS_TOKEN.*\)\n/);
  await server.end('SIGTERM');
  await database.drop();
});

it('an unusable folder is named, because it may be the default', async () => {
  const DATA_DIR = join(server.dataDir, 'file', 'below');
  await writeFile(join(server.dataDir, 'file'), '');
  await expect(server.start({ DATA_DIR })).rejects.toThrow(
    `DATA_DIR ${DATA_DIR} cannot be a folder: a part of the path is a file (ENOTDIR)`,
  );
});

it('ignores the variables of PostgreSQL’s own programs', async () => {
  const credentials = await server.start({
    PGHOST: '/nowhere',
    PGPORT: '1',
    PGUSER: 'somebody',
    PGPASSWORD: 'else',
    PGDATABASE: 'elsewhere',
    PGSSLMODE: 'require',
    PGSSLNEGOTIATION: 'direct',
    PGOPTIONS: '-c default_transaction_read_only=on',
  });
  expect(await statusOf(credentials)).toBe(200);
});

it('warns once about a weak operations token', async () => {
  await server.start({ OPERATIONS_TOKEN: 'short' });
  await vi.waitUntil(() => server.output.includes('OPERATIONS_TOKEN'), { timeout: 180_000 });
  expect(server.output.match(/OPERATIONS_TOKEN/g)).toHaveLength(1);
  await server.end('SIGTERM');
  await server.start({ OPERATIONS_TOKEN: 'x'.repeat(24) });
  expect(server.output).not.toContain('OPERATIONS_TOKEN');
});

it('serves by a login that is no superuser', async () => {
  expect(await statusOf(await server.start())).toBe(200);
  const password = readFileSync(join(server.dataDir, 'postgres.password'), 'utf8').trim();
  const port = readFileSync(join(server.dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[3];
  const logins = await queryOnce(
    `postgres://postgres:${password}@127.0.0.1:${port}/control_plane`,
    `select distinct usename::text, rolsuper from pg_stat_activity join pg_roles on rolname = usename
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  );
  expect(logins).toEqual([{ usename: 'acp_login', rolsuper: false }]);
});

it('the first lines tell what the model’s provider says', { timeout: 180_000 }, async () => {
  const error = { message: 'Incorrect API key provided', code: 'invalid_api_key' };
  const provider = createHttpServer((_request, response) =>
    response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error })),
  ).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const LLM_BASE_URL = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
  await server.start({ LLM_BASE_URL, LLM_API_KEY: 'wrong', LLM_MODEL: 'a-model' });
  await vi.waitUntil(() => server.output.includes('try next'), { timeout: 180_000 });
  provider.close();
  expect(server.output).toMatch(/model +a-model at http\S+ \(401: Incorrect API key provided\)\n/);
});

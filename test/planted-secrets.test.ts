import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join, relative } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dumpDatabase, PlantedSecrets } from '../server/test/support/planted-secrets.ts';
import { type EchoServer, startEchoServer } from './echo-server.ts';
import { PlantedPath } from './planted-path.ts';
import { type Credentials, ServerProcess } from './server-process.ts';

/** Files of the data directory that hold secrets on purpose. */
const KEPT_ON_PURPOSE: Readonly<Record<string, readonly string[]>> = {
  'credentials.json': ['operations token', 'first admin’s password', 'first API key'],
};

const secrets = new PlantedSecrets();
/** A public value proves that the search works. */
const open = new PlantedSecrets();
let server: ServerProcess;
let echo: EchoServer;
let credentials: Credentials;

beforeAll(async () => {
  echo = await startEchoServer();
  server = await ServerProcess.inNewDirectory();
  const token = (name: string) => secrets.plant(name, randomBytes(24).toString('base64url'));
  credentials = await server.start({
    LOG_LEVEL: 'trace',
    MASTER_KEY: secrets.plant('master key', randomBytes(32)).toString('base64'),
    OPERATIONS_TOKEN: token('operations token'),
    LLM_BASE_URL: echo.base_url,
    LLM_MODEL: 'model',
    LLM_API_KEY: token('language model’s key'),
    CHATAPP_API_BASE_URL: echo.base_url,
    GOOGLE_TOKEN_URL: `${echo.base_url}/token`,
    GOOGLE_DRIVE_BASE_URL: echo.base_url,
  });
  secrets.plant('first admin’s password', credentials.admin.password);
  secrets.plant('first API key', credentials.api_key.slice(14));
});
afterAll(async () => {
  await server.remove();
  await echo.close();
});

it('no secret leaves its place', async () => {
  const path = new PlantedPath(secrets, server, credentials);
  await path.useUsers();
  const key = await path.useKeys();
  const customer = await path.makeCustomer(`${open.plant('e-mail address', randomUUID())}@example.com`);
  const { instance_id, task_id } = await path.deploy(customer);
  open.plant('instance', instance_id);
  open.plant('task', task_id);
  open.plant('event', 'Runtime started');
  await path.actAsInstance(instance_id, customer);
  await path.askModel();
  await path.exchangeMessages(instance_id, () => echo.accepts('/messages'));
  await path.lookBack(instance_id, customer);
  const noHttp = await sendRaw(`GET / HTTP/1.1\r\nX-Api-Key: ${key}\r\nno header ${customer.pin}\r\n\r\n`);

  const found = new Set<string>();
  const foundOpen = new Set<string>();
  const look = (where: string, content: string | Buffer, allowed: readonly string[] = []) => {
    for (const one of secrets.foundIn(where, content, allowed)) found.add(one);
    for (const one of open.foundIn(where, content)) foundOpen.add(one);
  };
  look('the answer to what is no HTTP', noHttp);
  for (const { what, answer } of path.answers) {
    look(`${what} (${answer.status})`, `${JSON.stringify([...answer.headers])}\n${answer.text}`);
  }
  for (const { pid } of [server, ...server.runtimes()]) {
    look('a command line', readFileSync(`/proc/${pid}/cmdline`));
  }
  for (const { table, text } of await dumpDatabase(await server.databaseUrl())) look(`table ${table}`, text);
  await path.terminate(instance_id);
  await server.end('SIGTERM');
  look('the server’s logs', server.output);
  for (const file of await filesBelow(server.dataDir)) {
    look(`file ${file}`, await readFile(join(server.dataDir, file)), KEPT_ON_PURPOSE[file]);
  }

  expect([...foundOpen]).toEqual(
    expect.arrayContaining([
      'e-mail address in table public.customers',
      'task in table public.tasks',
      'instance in the server’s logs',
      expect.stringMatching(/^event in the answer to GET .+events/),
      expect.stringMatching(/^instance in file runtimes\/.+\.log$/),
      expect.stringMatching(/^e-mail address in file postgres\//),
    ]),
  );
  expect([...found]).toEqual([]);
});

async function sendRaw(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(credentials.base_url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  const text = await textOf(socket);
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
  return text;
}

async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)));
}

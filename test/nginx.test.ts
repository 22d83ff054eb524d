import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../bench/src/ports.ts';
import { createTestDatabase, type TestDatabase } from '../server/test/support/database.ts';
import { OPERATIONS_TOKEN, startTestService } from '../server/test/support/service.ts';
import { ServerProcess } from './server-process.ts';

const CONFIGURATION = join(import.meta.dirname, '../deploy/nginx/agent-control-plane.conf');
const NAME = 'control-plane.example.com';
const REQUESTS = 250;
/** Between two requests: both restarts take about as long as all of them. */
const PAUSE_MS = 30;

const isInstalled = spawnSync('nginx', ['-v']).status === 0;
if (!isInstalled) process.stderr.write('nginx is not installed: restarts behind it are not tested\n');

/** nginx with the configuration of the guide, for copies at other ports, with a certificate of its own. */
class Nginx {
  readonly #place = mkdtempSync(join(tmpdir(), 'acp-nginx-'));
  readonly #agent: Agent;
  readonly #port: number;
  #child: ChildProcess | undefined;

  constructor(port: number, copies: readonly number[]) {
    this.#port = port;
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'privkey.pem'];
    const named = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`, '-days', '2'];
    execFileSync('openssl', ['req', '-x509', ...key, ...named, '-out', 'fullchain.pem'], {
      cwd: this.#place,
      stdio: 'ignore',
    });
    const site = copies.reduce(
      (text, copy, at) => text.replace(`127.0.0.1:${8081 + at} `, `127.0.0.1:${copy} `),
      readFileSync(CONFIGURATION, 'utf8')
        .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
        .replaceAll(`/etc/letsencrypt/live/${NAME}/`, ''),
    );
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${of};`);
    const around = `pid nginx.pid; events {} http { access_log off; ${places.join(' ')}\n`;
    writeFileSync(join(this.#place, 'nginx.conf'), `${around}${site}}\n`);
    this.#agent = new Agent({ keepAlive: true, ca: readFileSync(join(this.#place, 'fullchain.pem')) });
  }

  async start(): Promise<void> {
    const options = ['-p', this.#place, '-c', 'nginx.conf', '-e', 'error.log', '-g', 'daemon off;'];
    this.#child = spawn('nginx', options, { stdio: 'ignore' });
    await vi.waitFor(async () => expect((await this.send('GET', '/healthz')).status).toBe(200), {
      timeout: 60_000,
    });
  }

  async send(
    method: string,
    path: string,
    key = '',
    json?: unknown,
  ): Promise<{ status: number; text: string }> {
    const headers = { 'x-api-key': key, ...(json !== undefined && { 'content-type': 'application/json' }) };
    const to = { host: '127.0.0.1', port: this.#port, servername: NAME, agent: this.#agent };
    const sent = request({ ...to, method, path, headers: { host: NAME, ...headers } });
    sent.end(json === undefined ? undefined : JSON.stringify(json));
    const [answer] = await once(sent, 'response');
    return { status: answer.statusCode, text: await readAll(answer) };
  }

  get errors(): string {
    return readFileSync(join(this.#place, 'error.log'), 'utf8');
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    if (this.#child) {
      const ended = once(this.#child, 'exit');
      this.#child.kill('SIGTERM');
      await ended;
    }
    rmSync(this.#place, { recursive: true });
  }
}

describe.skipIf(!isInstalled)('two copies behind nginx as the guide configures it', () => {
  let database: TestDatabase;
  let nginx: Nginx;
  let key: string;
  let environment: Record<string, string>;
  const copies: { server: ServerProcess; port: number }[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    const master_key = Buffer.alloc(32, 5);
    const setUp = await startTestService({ database, master_key, runsJobs: false });
    ({ key } = await setUp.createTenant());
    await setUp.service.stop();
    environment = {
      DATABASE_URL: database.url,
      MASTER_KEY: master_key.toString('base64'),
      OPERATIONS_TOKEN,
      RUNTIME_ISOLATION: 'none',
      DRAIN_SECONDS: '1',
      FORWARDED_FOR_PROXIES: '127.0.0.1',
    };
    for (let at = 0; at < 2; at += 1)
      copies.push({ server: await ServerProcess.inNewDirectory(), port: await freePort() });
    await Promise.all(copies.map(start));
    nginx = new Nginx(
      await freePort(),
      copies.map(({ port }) => port),
    );
    await nginx.start();
  });
  afterAll(async () => {
    await nginx.stop();
    for (const { server } of copies) await server.remove();
    await database.drop();
  });

  const start = ({ server, port }: (typeof copies)[number]) =>
    server.startServed({ ...environment, PORT: String(port) });

  const restartAll = async () => {
    for (const copy of copies) {
      expect(await copy.server.end('SIGTERM')).toBe(0);
      await start(copy);
    }
  };

  it('show the outside neither operators’ routes nor metrics', async () => {
    const paths = ['/docs', '/metrics', '/internal/v1/tenants'];
    const statuses = await Promise.all(paths.map(async (path) => (await nginx.send('GET', path)).status));
    expect(statuses).toEqual([200, 404, 404]);
  });

  it(`restart one directly after the other, and none of ${REQUESTS} requests fails`, async () => {
    const failures: string[] = [];
    const ask = async (isChange: boolean) => {
      const { status, text } = isChange
        ? await nginx.send('POST', '/v1/customers', key, { email: `${randomUUID()}@example.com` })
        : await nginx.send('GET', '/v1/customers?per_page=1', key);
      if (status !== (isChange ? 201 : 200)) failures.push(`${status} ${text}`);
    };
    const over = new AbortController();
    const restarted = restartAll().finally(() => over.abort());
    const asked: Promise<void>[] = [];
    while (asked.length < REQUESTS || !over.signal.aborted) {
      asked.push(ask(asked.length % 2 === 0));
      await sleep(PAUSE_MS);
    }
    await restarted;
    await Promise.all(asked);
    expect(failures, nginx.errors).toEqual([]);
  });
});

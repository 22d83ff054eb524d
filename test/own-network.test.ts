import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fetchRuntime } from '../server/src/adapters/process-engine/connections.ts';
import { runtimeUrl } from '../server/src/adapters/runtime-pools.ts';
import { call, deploy, until } from './instances.ts';
import { type Credentials, ServerProcess } from './server-process.ts';

const PROGRAM = join(import.meta.dirname, '../server/test/support/breaking-runtime.mjs');
const NAMESPACES = ['--user', '--map-root-user', '--mount', '--pid', '--ipc', '--fork', 'unshare', '--net'];
const isPossible = spawnSync('unshare', [...NAMESPACES, 'true']).status === 0;
if (!isPossible) process.stderr.write('Own networks are not tested: this machine allows none\n');

const POSTGRES = '\0\0\0\x17\0\x03\0\0user\0postgres\0\0';
const METADATA = 'GET /latest/meta-data HTTP/1.1\r\nHost: a\r\n\r\n';

type Outcome = { got?: unknown; refused?: string };

/** Counts its callers; nobody may come. */
async function listen(options: object, opened: Server[], callers: string[]): Promise<number> {
  const server = createServer((socket) => {
    callers.push(JSON.stringify(options));
    socket.on('error', () => {}).end('I am not for you');
  }).listen({ port: 0, ...options });
  opened.push(server);
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/** The program of one runtime, as the service reaches it. */
class Inside {
  readonly instance_id: string;
  readonly #address: string;

  constructor(dataDir: string, instance_id: string) {
    this.instance_id = instance_id;
    this.#address = `http://127.0.0.1:8700#${dataDir}/runtimes/${instance_id}/runtime.sock`;
  }

  async attempt(kind: string, argument?: unknown): Promise<Outcome> {
    const url = runtimeUrl(this.#address, '/try');
    url.search = encodeURIComponent(JSON.stringify([kind, argument]));
    return (await fetchRuntime(url)).json() as Promise<Outcome>;
  }

  async environment(): Promise<Record<string, string>> {
    return (await this.attempt('environment')).got as Record<string, string>;
  }

  async ask(url: string, headers?: Record<string, string>, method?: string): Promise<unknown> {
    return (await this.attempt('ask', { url, headers, method })).got;
  }
}

const USERS: [string, number][] = [
  ['root', 0],
  ['an ordinary user (daemon)', 1],
];
const mayBe = (uid: number) => process.getuid?.() === (uid === 0 ? 0 : uid) || process.getuid?.() === 0;

describe.runIf(isPossible).each(USERS.filter(([, uid]) => mayBe(uid)))(
  'of a service that runs as %s',
  (_, uid) => {
    let server: ServerProcess;
    let credentials: Credentials;
    let one: Inside;
    let two: Inside;
    const opened: Server[] = [];
    const callers: string[] = [];

    beforeAll(async () => {
      server = (await ServerProcess.inNewDirectory()).as(uid);
      credentials = await server.start({
        RUNTIME_COMMAND: `${process.execPath} ${PROGRAM}`,
        RUNTIME_ISOLATION: 'required',
      });
      const ids = await Promise.all([deploy(credentials), deploy(credentials)]);
      await Promise.all(ids.map(({ instance_id }) => until(credentials, instance_id, 'running')));
      [one, two] = ids.map(({ instance_id }) => new Inside(server.dataDir, instance_id)) as [Inside, Inside];
    });
    afterAll(async () => {
      for (const server of opened) server.close();
      await server.remove();
    });

    it('a runtime reaches no port of the machine, nobody’s sockets and no other runtime', async () => {
      const lan = Object.values(networkInterfaces())
        .flatMap((all = []) => all)
        .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
      const abstract = `\0acp-${randomUUID()}`;
      await listen({ path: abstract }, opened, callers);
      const ports = {
        loopback: await listen({ host: '127.0.0.1' }, opened, callers),
        loopback6: await listen({ host: '::1' }, opened, callers),
        everywhere: await listen({ host: '0.0.0.0' }, opened, callers),
      };
      const places: [string, object, string][] = [
        ['a port of 127.0.0.1', { host: '127.0.0.1', port: ports.loopback }, 'x'],
        ['a port of ::1', { host: '::1', port: ports.loopback6 }, 'x'],
        ['a port of the machine’s address', { host: lan ?? '127.0.0.2', port: ports.everywhere }, 'x'],
        ['an abstract socket', { path: abstract }, 'x'],
        ['PostgreSQL', { host: '127.0.0.1', port: 5432 }, POSTGRES],
        ['PostgreSQL’s socket', { path: '/var/run/postgresql/.s.PGSQL.5432' }, POSTGRES],
        ['Redis', { host: '127.0.0.1', port: 6379 }, 'PING\r\n'],
        [
          'the embedded PostgreSQL',
          { host: '127.0.0.1', port: portOf(await server.databaseUrl()) },
          POSTGRES,
        ],
        ['the service’s port', { host: '127.0.0.1', port: portOf(credentials.base_url) }, METADATA],
        ['the service’s mTLS port', { host: '127.0.0.1', port: portOf(credentials.mtls_url) }, METADATA],
        ['the metadata address', { host: '169.254.169.254', port: 80 }, METADATA],
        ['a public address', { host: '1.1.1.1', port: 443 }, 'x'],
        [
          'another runtime’s socket',
          { path: `${server.dataDir}/runtimes/${two.instance_id}/runtime.sock` },
          'x',
        ],
        [
          'the service’s socket for another',
          { path: `${server.dataDir}/wires/${two.instance_id}/http.sock` },
          'x',
        ],
        ['the proxy of those with internet', { host: '127.0.0.1', port: 3128 }, 'x'],
      ];
      const got = await Promise.all(
        places.map(async ([name, to, said]) => [name, await one.attempt('connect', [to, said])] as const),
      );
      const refused = { refused: expect.stringMatching(/^(ECONNREFUSED|ENETUNREACH|EADDRNOTAVAIL|ENOENT)$/) };
      expect(Object.fromEntries(got)).toEqual(Object.fromEntries(places.map(([name]) => [name, refused])));
      expect(callers).toEqual([]);
      expect(await one.attempt('ask', { url: 'http://example.com/' })).toMatchObject({
        refused: 'EAI_AGAIN',
      });
      const { got: routes } = await one.attempt('read', '/proc/net/route');
      expect(String(routes).split('\n').slice(1).join('')).toBe('');
    });

    it('it reaches the routes for runtimes, in clear and with TLS, and nothing else', async () => {
      const { CONTROL_PLANE_URL, CONTROL_PLANE_MTLS_URL, PROXY_KEY, INSTANCE_ID } = await one.environment();
      const headers = { authorization: `Bearer ${PROXY_KEY}`, 'x-api-key': credentials.api_key };
      for (const url of [CONTROL_PLANE_URL, CONTROL_PLANE_MTLS_URL]) {
        expect(
          await one.ask(`${url}/internal/v1/instances/${INSTANCE_ID}/llm/models`, headers),
        ).toMatchObject({
          status: 200,
        });
        for (const path of [
          '/metrics',
          '/healthz',
          '/readyz',
          '/v1/me',
          '/docs',
          '/openapi.json',
          '/internal/v1/hosts',
        ])
          expect(await one.ask(url + path, headers), path).toMatchObject({ status: 404 });
        expect(await one.ask(`${url}/auth/login`, headers, 'POST')).toMatchObject({ status: 404 });
      }
    });

    it('with a manifest’s internet it reaches the proxy to public addresses, and nothing else', async () => {
      const manifest = { command: [process.execPath, PROGRAM], internet: true };
      const put = await fetch(`${credentials.base_url}/internal/v1/manifests/online`, {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${credentials.operations_token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(manifest),
      });
      expect(put.status).toBe(201);
      const { instance_id } = await deploy(credentials, { manifest_id: 'online' });
      await until(credentials, instance_id, 'running');
      const online = new Inside(server.dataDir, instance_id);
      const { HTTPS_PROXY = '' } = await online.environment();
      expect((await one.environment()).HTTPS_PROXY).toBeUndefined();
      const port = await listen({ host: '127.0.0.1' }, opened, callers);
      const proxy = { host: '127.0.0.1', port: portOf(HTTPS_PROXY) };
      const asked = `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: a\r\n\r\n`;
      expect(await online.attempt('connect', [proxy, asked])).toEqual({
        got: expect.stringMatching(/^HTTP\/1\.1 403 /),
      });
      expect(await online.attempt('connect', [{ host: '127.0.0.1', port }, 'x'])).toEqual({
        refused: 'ECONNREFUSED',
      });
      expect(callers).toEqual([]);
    });

    it('a link in place of its socket leads the service nowhere', async () => {
      const victim = `${server.dataDir}/runtimes/${two.instance_id}/runtime.sock`;
      const own = `${server.dataDir}/runtimes/${one.instance_id}/runtime.sock`;
      await one.attempt('shell', `mv ${own} ${own}.old && ln -s ${victim} ${own}`);
      await call(credentials, 'POST', `/v1/instances/${one.instance_id}/proxy-key`);
      // Another spelling of the path has no connection from before.
      const anew = new Inside(`${server.dataDir}/.`, one.instance_id);
      await expect(anew.attempt('environment')).rejects.toMatchObject({
        cause: { message: 'another process listens at its address' },
      });
      const heard = (await two.attempt('heard')).got as string[];
      expect(heard.filter((line) => line.startsWith('PUT /secrets'))).toHaveLength(1);
    });

    it('is adopted after kill -9 of the service, and reaches it again', async () => {
      const { PROXY_KEY, CONTROL_PLANE_URL } = await two.environment();
      const [{ pid } = { pid: 0 }] = server
        .runtimes()
        .filter((found) => found.instance_id === two.instance_id);
      await server.end('SIGKILL');
      await server.startServed({
        RUNTIME_COMMAND: `${process.execPath} ${PROGRAM}`,
        RUNTIME_ISOLATION: 'required',
      });
      expect(server.runtimes()).toContainEqual({ pid, instance_id: two.instance_id });
      await vi.waitFor(
        async () =>
          expect(
            await two.ask(`${CONTROL_PLANE_URL}/internal/v1/instances/${two.instance_id}/llm/models`, {
              authorization: `Bearer ${PROXY_KEY}`,
            }),
          ).toMatchObject({ status: 200 }),
        { timeout: 60_000 },
      );
    });
  },
);

const portOf = (url: string) => Number(new URL(url).port);

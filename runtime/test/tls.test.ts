import { once } from 'node:events';
import { Agent, request as httpsRequest } from 'node:https';
import { type AddressInfo } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { at } from '../src/json.ts';
import { type Bench, hourMs, type Life, startBench } from './support/enrolling.ts';
import { completion } from './support/fake-llm.ts';
import type { FakeMtls } from './support/fake-mtls.ts';
import { conversationId, instanceId, messageSecret, proxyKey } from './support/ids.ts';
import { messageOf } from './support/runtime.ts';

async function startOverTls(changes: (plane: FakeMtls) => Record<string, string> = () => ({})) {
  const bench = await startBench();
  const life = bench.start({ TLS: 'on', ...changes(bench.plane) });
  return { ...bench, life };
}

/** Verifies like the control plane: by the chain, and by the name of the instance. */
async function meet({ plane, life }: Bench & { life: Life }, more: ConnectionOptions = {}) {
  const { port } = life.server.address() as AddressInfo;
  const names: (string | undefined)[] = [];
  const checkServerIdentity = (_host: string, { subjectaltname }: { subjectaltname?: string }) => {
    names.push(subjectaltname);
    return undefined;
  };
  const options = { host: '127.0.0.1', port, ca: plane.authority.ca_pem, checkServerIdentity, ...more };
  const socket = connect(options);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'secureConnect');
  expect(names).toEqual([`URI:spiffe://acp.test/instance/${instanceId}`]);
  return socket;
}

const serialOf = (socket: TLSSocket) => socket.getPeerCertificate().serialNumber.toLowerCase();

async function listen({ life }: { life: Life }): Promise<string> {
  life.server.listen(0, '127.0.0.1');
  await once(life.server, 'listening');
  onTestFinished(() => {
    life.server.close();
    life.server.closeAllConnections();
  });
  return `https://127.0.0.1:${(life.server.address() as AddressInfo).port}`;
}

const ask = (url: string, ca: string, agent: Agent, body?: object) =>
  new Promise<{ status: number; text: string; serial: string }>((resolve, reject) => {
    const headers = { authorization: `Bearer ${messageSecret}` };
    const options = {
      method: body ? 'POST' : 'GET',
      headers,
      ca,
      agent,
      checkServerIdentity: () => undefined,
    };
    const sent = httpsRequest(url, options, (response) => {
      const serial = serialOf(response.socket as TLSSocket);
      readAll(response).then((text) => resolve({ status: response.statusCode ?? 0, text, serial }), reject);
    });
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });

it('shows its own certificate, and the renewed one to the next that connects', async () => {
  const bench = await startOverTls();
  const { plane, life, advance } = bench;
  // Both certificates are valid by the clock of this process.
  advance(-17 * hourMs);
  await life.keeper.tick();
  const url = await listen(bench);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const { ca_pem } = plane.authority;
  const [first] = plane.certificates;
  expect(await ask(`${url}/health`, ca_pem, agent)).toMatchObject({ status: 200 });
  expect(serialOf(await meet(bench))).toBe(first?.serial);

  advance(17 * hourMs);
  await life.keeper.tick();
  expect(plane.certificates).toHaveLength(2);
  expect(serialOf(await meet(bench))).toBe(plane.current?.serial);
  // The connection that was open goes on.
  expect(await ask(`${url}/health`, ca_pem, agent)).toMatchObject({ status: 200, serial: first?.serial });
});

it('sends the authorities between its certificate and the root', async () => {
  const bench = await startOverTls();
  await bench.life.keeper.tick();
  await listen(bench);
  const socket = await meet(bench, { ca: bench.plane.authority.root_pem });
  expect(socket.getPeerCertificate(true).issuerCertificate.subject.CN).toBe('Test issuing authority');
});

it('speaks no TLS before 1.2, and no plain HTTP', async () => {
  const bench = await startOverTls();
  await bench.life.keeper.tick();
  const url = await listen(bench);
  await expect(meet(bench, { maxVersion: 'TLSv1.1', minVersion: 'TLSv1' })).rejects.toThrow();
  await expect(fetch(url.replace('https:', 'http:'))).rejects.toThrow('fetch failed');
  expect((await meet(bench, { maxVersion: 'TLSv1.2' })).getProtocol()).toBe('TLSv1.2');
});

it('asks the model at the listener for client certificates with its own', async () => {
  const bench = await startOverTls((plane) => ({
    LLM_BASE_URL: `${plane.url}/internal/v1/instances/${instanceId}/llm`,
    LLM_MODEL: 'a-model',
    LLM_API_KEY: proxyKey,
  }));
  const { plane, life } = bench;
  plane.replies.set('llm/chat/completions', completion({ content: 'Hello there' }, 'stop'));
  await life.keeper.tick();
  const agent = new Agent();
  const { status } = await ask(
    `${await listen(bench)}/messages`,
    plane.authority.ca_pem,
    agent,
    messageOf('What is the weather like?'),
  );
  expect(status).toBe(200);
  const asked = plane.seen.find(({ path }) => path.endsWith('/llm/chat/completions'));
  expect(asked).toMatchObject({ client_serial: plane.current?.serial, conversationId });
  const answered = plane.seen.find(({ path }) => path.endsWith(`/conversations/${conversationId}/messages`));
  expect(at(answered?.body, 'text')).toBe('Hello there');
});

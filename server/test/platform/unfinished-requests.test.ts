import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

const lines: string[] = [];
let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    runsJobs: false,
    logger: pino({}, { write: (line) => void lines.push(line) }),
  });
});
afterAll(() => service.stop());

it('are not logged as errors when their clients disconnect', async () => {
  const { hostname, port } = new URL(service.base_url);
  const asked = once(service.service.app.server, 'request') as Promise<[IncomingMessage]>;
  const socket = connect(Number(port), hostname);
  const head = [
    'POST /auth/login HTTP/1.1',
    'Host: a',
    'Content-Type: application/json',
    'Content-Length: 9',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n{`);
  const [request] = await asked;
  const left = new Promise((resolve) => request.once('close', resolve));
  socket.destroy();
  await left;
  expect((await service.anonymous.get('/healthz')).status).toBe(200);
  expect(lines.filter((line) => line.includes('request failed'))).toEqual([]);
});

it('have a minute to arrive', () => {
  const { headersTimeout, requestTimeout } = service.service.app.server;
  expect({ headersTimeout, requestTimeout }).toEqual({ headersTimeout: 60_000, requestTimeout: 60_000 });
});

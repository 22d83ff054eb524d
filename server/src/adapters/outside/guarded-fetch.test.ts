import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guardedFetch, isRefused, NotPublic, openMachines } from './guarded-fetch.ts';
import { isPublicAddress } from './public-address.ts';

let server: Server;
let port: number;
let requests = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    requests += 1;
    if (request.url === '/moved') response.writeHead(302, { location: '/' }).end();
    else response.end('inside');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => server.close());

/** Unwraps fetch's error. */
async function refusalOf(answer: Promise<Response>): Promise<unknown> {
  const error: unknown = await answer.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof Error && error.cause ? error.cause : error;
}

describe('guardedFetch', () => {
  it.each([
    'http://example.com/',
    'https://127.0.0.1/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[64:ff9b::a00:1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1/',
  ])('refuses %s', async (url) => {
    const outside = await guardedFetch({ allowedHosts: [] });
    expect(await refusalOf(outside(url))).toBeInstanceOf(NotPublic);
  });

  it('refuses a name with one private address among public ones', async () => {
    const outside = await guardedFetch({
      allowedHosts: [],
      lookup: (_, __, callback) =>
        callback(null, [
          { address: '93.184.216.34', family: 4 },
          { address: '::ffff:127.0.0.1', family: 6 },
        ]),
    });
    expect(await refusalOf(outside('https://rebinding.example/'))).toBeInstanceOf(NotPublic);
  });

  it('reaches an allowed host over http without following redirects', async () => {
    const outside = await guardedFetch({ allowedHosts: ['127.0.0.1'] });
    const before = requests;
    const moved = await outside(`http://127.0.0.1:${port}/moved`);
    expect([moved.status, requests - before]).toEqual([302, 1]);
    expect(await (await outside(new Request(`http://127.0.0.1:${port}/`))).text()).toBe('inside');
  });
});

describe('isPublicAddress', () => {
  it('is false for private, reserved and malformed addresses', () => {
    const translating = [
      '::7f00:1',
      '::ffff:0:7f00:1',
      '::ffff:0:0:7f00:1',
      '64:ff9b::7f00:1',
      '64:ff9b:1::7f00:1',
      '2002:7f00:1::',
      '2001::7f00:1',
      '2606:4700::5efe:7f00:1',
      '2606:4700::200:5efe:7f00:1',
      'fec0::1',
      '5f00::1',
      '100::1',
      '3fff::1',
      '4000::1',
    ];
    expect(translating.filter(isPublicAddress)).toEqual([]);
    const addresses = ['8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8', '10.1.2.3', 'fc00::1', '0.0.0.0', 'x'];
    expect(addresses.map(isPublicAddress)).toEqual([true, true, true, false, false, false, false]);
  });
});

describe('allowed hosts', () => {
  const allowed = ['10.0.0.5', '10.0.0.6:8080', 'localhost', '[::1]:81'];
  it.each([
    ['http://10.0.0.5/', false],
    ['https://10.0.0.5/', false],
    ['http://10.0.0.5:443/', false],
    ['http://10.0.0.5:8080/', true],
    ['http://10.0.0.6:8080/', false],
    ['http://10.0.0.6/', true],
    ['http://localhost:5432/', false],
    ['http://[::1]:81/', false],
    ['http://[::1]:82/', true],
  ])('have the ports of the web, their own, or all of this machine: %s', (url, refused) => {
    expect(isRefused(new URL(url), allowed)).toBe(refused);
  });

  it('that open this machine are known', () => {
    expect(openMachines([...allowed, '127.0.0.9', '[::1]'])).toEqual(['localhost', '127.0.0.9', '[::1]']);
  });
});

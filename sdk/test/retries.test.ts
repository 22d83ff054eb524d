import { once } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { retryAfterMs } from '../src/errors.ts';
import { ApiError, ConnectionError, ControlPlane, type ControlPlaneOptions } from '../src/index.ts';
import { pause } from '../src/until.ts';
import {
  after,
  answer,
  beginning,
  garbled,
  half,
  hangUp,
  json,
  Loopback,
  type Step,
  silent,
} from './support/loopback.ts';

const RECIPE = { id: 'r' };
const DEPLOYED = { instance_id: 'i', task_id: 't', ready: true, missing_connections: [] };
const REQUEST = { customer_id: 'c', recipe_id: 'r', tier_id: 't', region_id: 'eu', hostname: 'h' };

let server: Loopback;
afterEach(() => {
  vi.useRealTimers();
  return server.stop();
});

async function clientOf(steps: Step[], options: Partial<ControlPlaneOptions> = {}): Promise<ControlPlane> {
  server = await Loopback.start(...steps);
  return new ControlPlane({ baseUrl: server.baseUrl, apiKey: 'key', ...options });
}

const refusal = (status: number, seconds?: string) =>
  json(status, { detail: 'Not now' }, seconds === undefined ? {} : { 'retry-after': seconds });

const keysSent = () =>
  server.received.map(({ body }) => (JSON.parse(body) as { idempotency_key: string }).idempotency_key);

const never = () => new Promise<string>(() => {});

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.unreachable('It succeeded'),
    (error: unknown) => error,
  );

describe('a temporary refusal', () => {
  it.each([429, 503])('of %i is retried after Retry-After, a POST too', async (status) => {
    const acp = await clientOf([refusal(status, '1'), json(201, RECIPE)]);
    expect(await acp.recipes.create({ name: 'R' })).toEqual(RECIPE);
    const [first, second] = server.received;
    expect(second?.body).toBe(first?.body);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it('of 429 without Retry-After is retried a little later', async () => {
    const acp = await clientOf([refusal(429), refusal(429), json(201, RECIPE)]);
    expect(await acp.recipes.create({ name: 'R' })).toEqual(RECIPE);
    expect(server.received).toHaveLength(3);
  });

  it('becomes the error in the end, with the server’s Retry-After', async () => {
    const acp = await clientOf([refusal(429, '0')]);
    const error = await failureOf(acp.recipes.create({ name: 'R' }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 429, detail: 'Not now', retryAfterMs: 0 });
    expect(server.received).toHaveLength(4);
  });

  it('with a Retry-After beyond the caller’s patience is thrown at once', async () => {
    const acp = await clientOf([refusal(429, '3')], { longestWaitMs: 2000 });
    await expect(acp.recipes.get('r')).rejects.toMatchObject({ status: 429, retryAfterMs: 3000 });
    expect(server.received).toHaveLength(1);
  });

  it('with a Retry-After of a minute is retried', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const answers = [Response.json({}, { status: 429, headers: { 'retry-after': '60' } }), Response.json([])];
    const fetch = async () => answers.shift() ?? Response.error();
    const acp = await clientOf([], { fetch });
    const listed = acp.recipes.list();
    await Promise.race([listed, vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), { timeout: 60_000 })]);
    await vi.advanceTimersByTimeAsync(61_000);
    expect(await listed).toEqual([]);
  });

  it.each([
    ['503 without Retry-After', 503, undefined],
    ['a wait of over a minute', 429, '61'],
    ['500', 500, '0'],
    ['409', 409, '0'],
  ])('is final for %s', async (_what, status, seconds) => {
    const acp = await clientOf([refusal(status, seconds)]);
    await expect(acp.recipes.get('r')).rejects.toMatchObject({ status });
    expect(server.received).toHaveLength(1);
  });

  it('is not retried after an abort', async () => {
    const acp = await clientOf([refusal(429, '60')]);
    const controller = new AbortController();
    const failed = failureOf(acp.recipes.list({}, { signal: controller.signal }));
    await once(server, 'received');
    const reason = new Error('Changed my mind');
    controller.abort(reason);
    expect(await failed).toBe(reason);
  });

  it('fails at once with retries: 0', async () => {
    const acp = await clientOf([refusal(429, '0')], { retries: 0 });
    await expect(acp.recipes.list()).rejects.toThrow('answered 429: Not now');
    expect(server.received).toHaveLength(1);
  });
});

describe('a lost response', () => {
  it.each([
    ['a connection that ends', hangUp],
    ['half an answer', half],
  ])('by %s is retried where that is safe', async (_how, lost) => {
    const acp = await clientOf([lost, json(200, [])]);
    expect(await acp.recipes.list()).toEqual([]);
    expect(server.received).toHaveLength(2);
  });

  it.each([hangUp, half])('of a POST is an error, because it may have been carried out', async (lost) => {
    const acp = await clientOf([lost]);
    await expect(acp.recipes.create({ name: 'R' })).rejects.toThrow(ConnectionError);
    expect(server.received).toHaveLength(1);
  });

  it('of a deploy is retried with the same key', async () => {
    const acp = await clientOf([hangUp, half, refusal(503, '0'), json(202, DEPLOYED)]);
    expect(await acp.deploy(REQUEST)).toMatchObject(DEPLOYED);
    const keys = keysSent();
    expect(keys).toHaveLength(4);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(keys).size).toBe(1);
  });

  it('of a deploy keeps a given key, and two deploys have different ones', async () => {
    const acp = await clientOf([json(202, DEPLOYED)]);
    await acp.deploy({ ...REQUEST, idempotency_key: 'mine' });
    await acp.deploy(REQUEST);
    await acp.deployment.deployRecipe({ ...REQUEST, idempotency_key: null });
    const [given, ...random] = keysSent();
    expect(given).toBe('mine');
    expect(new Set(random).size).toBe(2);
    expect(random).not.toContain(null);
  });

  it('is retried as often as configured, seconds apart at most', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let asked = 0;
    const fetch = async () => {
      if (asked++ < 20) throw new TypeError('fetch failed');
      return Response.json([]);
    };
    const acp = await clientOf([], { fetch, retries: 20 });
    const [listed] = await Promise.all([acp.recipes.list(), vi.advanceTimersByTimeAsync(180_000)]);
    expect(listed).toEqual([]);
  });

  it('fails in the end, with the reason and the operation', async () => {
    const acp = await clientOf([hangUp]);
    const error = await failureOf(acp.recipes.list());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(String(error)).toMatch(/list_recipes \(GET \/v1\/recipes\) was not answered \(\S.+\)/);
    expect(server.received).toHaveLength(4);
  });
});

describe('a missing response', () => {
  it('ends after timeoutMs', async () => {
    const acp = await clientOf([silent], { retries: 0 });
    await expect(acp.recipes.list({}, { timeoutMs: 50 })).rejects.toThrow('was not answered within 50 ms');
  });

  it('ends after timeoutMs when it has begun', async () => {
    const acp = await clientOf([beginning('application/json', '[')], { retries: 0, timeoutMs: 200 });
    await expect(acp.recipes.list()).rejects.toThrow('was not answered within 200 ms');
  });

  it('ends after timeoutMs when it cannot be decompressed', async () => {
    const acp = await clientOf([garbled], { retries: 0, timeoutMs: 2000 });
    await expect(acp.recipes.list()).rejects.toThrow(ConnectionError);
  });

  it('ends after timeoutMs when the access token does not come', async () => {
    const acp = await clientOf([silent], { apiKey: undefined, accessToken: never, retries: 0 });
    await expect(acp.recipes.list({}, { timeoutMs: 50 })).rejects.toThrow('was not answered within 50 ms');
    const controller = new AbortController();
    const failed = failureOf(acp.recipes.list({}, { signal: controller.signal }));
    controller.abort('enough');
    expect(await failed).toBe('enough');
  });

  it.each([2 ** 31, Infinity])('is waited for with a timeoutMs of %d', async (timeoutMs) => {
    const acp = await clientOf([after(20, json(200, []))], { timeoutMs, retries: 0 });
    expect(await acp.recipes.list()).toEqual([]);
  });

  it('ends with an abort', async () => {
    const acp = await clientOf([silent]);
    const controller = new AbortController();
    const failed = failureOf(acp.recipes.list({}, { signal: controller.signal }));
    await once(server, 'received');
    const closed = once(server, 'closed');
    controller.abort('enough');
    expect(await failed).toBe('enough');
    await closed;
  });
});

describe('a response of another service', () => {
  it('is not a result: a page instead of JSON', async () => {
    const acp = await clientOf([answer(200, 'text/html', '<html>Sign in</html>')], { retries: 0 });
    await expect(acp.recipes.list()).rejects.toThrow('was not answered with JSON');
  });

  it('is not a success: a page instead of an empty response', async () => {
    const acp = await clientOf([answer(200, 'text/html', '<html>Sign in</html>')], { retries: 0 });
    await expect(acp.recipes.delete('r')).rejects.toThrow(ConnectionError);
  });

  it('is shortened: a megabyte from a gateway', async () => {
    const words = `<h1>\nBad   gateway</h1>${'x'.repeat(1_000_000)}`;
    const acp = await clientOf([answer(502, 'text/html', words)]);
    const error = await failureOf(acp.recipes.list());
    expect(error).toMatchObject({ status: 502, faults: [] });
    expect((error as ApiError).detail).toMatch(/^<h1> Bad gateway<\/h1>x+$/);
    expect((error as ApiError).message.length).toBeLessThan(500);
  });

  it.each([
    'null',
    '{"detail":[null,1,{"loc":"x"}]}',
    '{"detail":[{"loc":"x","msg":"y"}]}',
    '{"detail":{"a":1}}',
    '',
  ])('is still an ApiError: %s', async (body) => {
    const acp = await clientOf([answer(400, 'application/json', body)]);
    expect(await failureOf(acp.recipes.list())).toBeInstanceOf(ApiError);
  });

  it('is not followed: a redirect', async () => {
    await using elsewhere = await Loopback.start(json(200, []));
    const acp = await clientOf([json(302, {}, { location: elsewhere.baseUrl })], { retries: 0 });
    await expect(acp.recipes.list()).rejects.toThrow(ConnectionError);
    expect(elsewhere.received).toEqual([]);
  });
});

describe('a pause', () => {
  it('ends with the signal, even one that aborted before', async () => {
    const controller = new AbortController();
    const waiting = failureOf(pause(60_000, controller.signal));
    controller.abort('enough');
    expect(await waiting).toBe('enough');
    expect(await failureOf(pause(60_000, controller.signal))).toBe('enough');
  });
});

describe('Retry-After', () => {
  it('is seconds or a date', () => {
    expect(retryAfterMs('12')).toBe(12_000);
    expect(retryAfterMs(new Date(Date.now() + 30_000).toUTCString())).toBeGreaterThan(25_000);
    expect(retryAfterMs('Thu, 01 Jan 1970 00:00:00 GMT')).toBe(0);
    expect(retryAfterMs('soon')).toBeUndefined();
    expect(retryAfterMs(null)).toBeUndefined();
  });
});

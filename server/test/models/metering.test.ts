import { describe, expect, it, onTestFinished } from 'vitest';
import { outputBytes } from '../../src/models/token-counts.ts';
import { endChunks, sendChunk, sendCompletion, usageOf } from '../support/fake-language-model.ts';
import {
  ask,
  calls,
  createModel,
  HELLO,
  instance,
  model,
  pathOf,
  policy,
  service,
  tenant,
  useModels,
  watchFallback,
} from '../support/models.ts';
import { OPERATIONS_TOKEN } from '../support/service.ts';

useModels();

/** @returns a function that leaves */
function begin(body: object): () => void {
  const aborted = new AbortController();
  const headers = { authorization: `Bearer ${OPERATIONS_TOKEN}`, 'content-type': 'application/json' };
  const init = {
    method: 'POST',
    headers,
    body: JSON.stringify({ ...HELLO, ...body }),
    signal: aborted.signal,
  };
  fetch(service.base_url + pathOf(instance), init).catch(() => {});
  return () => aborted.abort();
}

it('a provider is asked when the reservation is on disk', async () => {
  // Each insert notes where its record ends in the log of the database.
  await service.database.query(`
    create table written (end_at pg_lsn);
    create function note_written() returns trigger language plpgsql security definer as $$
      begin insert into public.written values (pg_current_wal_insert_lsn()); return null; end $$;
    create trigger note_written after insert on llm_calls for each row execute function note_written()`);
  onTestFinished(async () => {
    await service.database.query('drop table written; drop function note_written cascade');
  });
  const isOnDisk = 'select pg_current_wal_flush_lsn() >= max(end_at) as is_on_disk from written';
  const found: unknown[] = [];
  model.respond = (response) => {
    const answer = (rows: unknown) => {
      found.push(rows);
      sendCompletion(response, 'here', usageOf(3, 1));
    };
    service.database.query(isOnDisk).then(answer, answer);
  };
  expect((await ask({})).status).toBe(200);
  expect(found).toEqual([[{ is_on_disk: true }]]);
});

const spentTokens = async () =>
  (
    await service.database.query<{ tokens: string; reserved_tokens: string }>(
      'select tokens, reserved_tokens from llm_spending where instance_id = $1',
      [instance.id],
    )
  )[0];

describe('a call without the provider’s usage costs what was reserved', () => {
  it('when the caller leaves before the answer', async () => {
    const priced = await createModel();
    await policy({ model: priced });
    model.respond = () => {};
    const leave = begin({ max_tokens: 80 });
    await expect.poll(() => model.requests).toHaveLength(1);
    leave();
    await expect
      .poll(() => calls())
      .toMatchObject([{ status: 'aborted', output_tokens: '80', estimated: true }]);
    expect(Number((await calls())[0]?.cost)).toBeGreaterThanOrEqual(0.0008);
    expect(await spentTokens()).toMatchObject({ reserved_tokens: '0' });
  });

  it('when the caller leaves a stream at its last piece', async () => {
    model.respond = (response) => {
      sendChunk(response, 'first');
      const usage = { id: 'c', choices: [{ index: 0, delta: {} }], usage: usageOf(1, 1) };
      response.write(`data: ${JSON.stringify(usage)}\n\n`);
    };
    const leave = begin({ max_tokens: 80, stream: true });
    await expect.poll(() => model.requests).toHaveLength(1);
    leave();
    await expect.poll(() => calls()).toMatchObject([{ status: 'aborted', output_tokens: '80' }]);
  });

  it('when a model is late or breaks off before a fallback, which has a row of its own', async () => {
    await policy({ model: 'late', fallback_models: ['breaks', 'refuses', 'answers'] });
    const passLimit = watchFallback();
    model.respond = (response, { body }) => {
      if (body.model === 'late') passLimit();
      if (body.model === 'breaks') response.destroy();
      if (body.model === 'refuses') response.writeHead(500).end('{}');
      if (body.model === 'answers') sendCompletion(response, 'here', usageOf(3, 1));
    };
    expect((await ask({ max_tokens: 70 })).status).toBe(200);
    expect(await calls()).toMatchObject([
      { model: 'late', status: 'failed', output_tokens: '70', estimated: true },
      { model: 'breaks', status: 'failed', output_tokens: '70', estimated: true },
      { model: 'answers', status: 'ok', output_tokens: '1', estimated: false },
    ]);
  });

  it('when the answer cannot be read, but not when the provider was not reached', async () => {
    model.respond = (response) => response.writeHead(200).end('<html>');
    expect((await ask({ max_tokens: 70 })).status).toBe(502);
    expect(await calls()).toMatchObject([{ status: 'failed', output_tokens: '70' }]);
    const gone = { base_url: 'http://127.0.0.1:9/v1', api_key: '' };
    expect((await service.operations.put('/internal/v1/llm-providers/gone', gone)).status).toBe(200);
    const entry = { model_id: 'at-gone', provider: 'gone' };
    await service.operations.put('/internal/v1/models', [entry]);
    await policy({ model: 'at-gone' });
    expect((await ask({ max_tokens: 70 })).status).toBe(502);
    expect((await calls())[1]).toMatchObject({ status: 'failed', output_tokens: '0' });
  });
});

it('every kind of output counts', () => {
  const text = 'x'.repeat(30);
  const kinds = [
    { content: text },
    { content: [{ type: 'text', text }] },
    { refusal: text },
    { reasoning: text },
    { reasoning_content: text, reasoning_details: [{ type: 'reasoning.text', text }] },
    { function_call: { name: '', arguments: text } },
    { tool_calls: [{ index: 0, id: 'call', type: 'function', function: { name: '', arguments: text } }] },
    { audio: { id: 'a', data: text } },
    { kind_to_come: { text } },
  ];
  expect(kinds.map((delta) => outputBytes([{ delta }]))).toEqual(kinds.map(() => 30));
});

it('a text counts by its length, wherever it stands', async () => {
  await policy({ max_output_tokens: 40, budget: { monthly_tokens: 9000 } });
  const url = `data:image/png;base64,${'A'.repeat(60_000)}`;
  const image = { type: 'image_url', image_url: { url } };
  const messages = [
    [{ role: 'user', content: url }],
    [{ role: 'user', content: [{ type: 'text', text: url }] }],
    [{ role: 'user', content: [{ type: 'file', file: { file_data: url } }] }],
    [{ role: 'user', content: [{ type: 'image_url', image_url: { url: url.replace('image', 'text') } }] }],
    [{ role: 'user', content: 'x', tool_calls: [image] }],
  ];
  for (const list of messages) expect((await ask({ messages: list })).status).toBe(429);
  const tools = [{ type: 'function', function: { name: 'f', parameters: image } }];
  expect((await ask({ tools })).status).toBe(429);
  expect((await ask({ messages: [{ role: 'user', content: [image] }] })).status).toBe(200);
});

describe('fields of a request', () => {
  it('are passed on if they are listed, numbers as numbers', async () => {
    const asked = {
      max_tokens: '7',
      temperature: '0.5',
      seed: 3,
      stop: ['x'],
      top_p: null,
      max_completion_tokens: -1,
    };
    const other = {
      'x-ü': 1,
      metadata: { a: 1 },
      n: 1,
      store: false,
      service_tier: 'auto',
      models: null,
      plugins: [],
    };
    const { status, headers } = await ask({ ...asked, ...other });
    expect(status).toBe(200);
    expect(headers.get('x-acp-ignored')).toBe(
      'max_completion_tokens, x-%C3%BC, metadata, n, store, service_tier, models, plugins',
    );
    expect(model.requests[0]?.body).toEqual({
      ...HELLO,
      model: 'own-model',
      max_tokens: 7,
      temperature: 0.5,
      seed: 3,
      stop: ['x'],
    });
  });

  it.each([
    ['models', ['other']],
    ['route', 'fallback'],
    ['fallbacks', ['other']],
    ['plugins', [{ id: 'web' }]],
    ['web_search_options', {}],
    ['service_tier', 'priority'],
    ['api_base', 'http://example.com'],
    ['base_url', 'http://example.com'],
    ['api_key', 'k'],
    ['store', true],
    ['n', '128'],
    ['max_tokens', 'many'],
    ['seed', 1.5],
  ])('%s: %j is refused', async (name, value) => {
    const { status, body } = await ask({ [name]: value });
    expect([status, body.error]).toMatchObject([400, { param: name, type: 'invalid_request_error' }]);
    expect(model.requests).toEqual([]);
    expect(await calls()).toEqual([]);
  });

  it('may not name a tool or a file of the provider', async () => {
    const tools = [{ type: 'web_search' }];
    expect(await ask({ tools })).toMatchObject({ status: 400, body: { error: { param: 'tools[0].type' } } });
    const content = [{ type: 'file', file: { file_id: 'file-1' } }];
    expect((await ask({ messages: [{ role: 'user', content }] })).status).toBe(400);
  });

  it('are those also for a tenant’s own provider', async () => {
    const own = { base_url: model.base_url, api_key: 'k' };
    expect((await tenant.api.put('/v1/llm-providers/mine', own)).status).toBe(200);
    await policy({ model: 'mine/large' });
    expect((await ask({ models: ['other'] })).status).toBe(400);
    const { headers } = await ask({ metadata: {} });
    expect(headers.get('x-acp-ignored')).toBe('metadata');
  });
});

const errorIn = (text: string) =>
  (
    JSON.parse(text.trim().split('\n\n').at(-1)?.slice('data: '.length) ?? '') as {
      error: { code: string };
    }
  ).error;

describe('a stream', () => {
  it.each(['word ', 'word '.repeat(40)])('ends at what was reserved plus a tenth', async (piece) => {
    let left = false;
    model.respond = (response) => {
      response.on('close', () => (left = true));
      const write = () => {
        if (left) return;
        sendChunk(response, piece);
        setImmediate(write);
      };
      write();
    };
    const { text } = await ask({ stream: true, max_tokens: 50 });
    expect(errorIn(text)).toMatchObject({ code: 'output_limit' });
    expect(text.split('data: ').length - 2).toBeLessThanOrEqual(55);
    await expect.poll(() => left).toBe(true);
    const [call] = await calls();
    expect(call).toMatchObject({ status: 'failed', estimated: true });
    expect(Number(call?.output_tokens)).toBeGreaterThanOrEqual(50);
  });

  it('ends after 10 minutes', async () => {
    const { modelTimeouts } = service.service.services;
    const before = modelTimeouts.stream;
    modelTimeouts.stream = 3000;
    let left = false;
    model.respond = (response) => {
      response.on('close', () => (left = true));
      const write = () => {
        if (!left) setTimeout(write, 20);
        if (!left) response.write(': alive\n\n');
      };
      sendChunk(response, 'first');
      write();
    };
    const { text } = await ask({ stream: true, max_tokens: 50 });
    modelTimeouts.stream = before;
    expect(errorIn(text)).toMatchObject({ code: 'timeout' });
    expect(await calls()).toMatchObject([{ status: 'failed', output_tokens: '50' }]);
  });

  it('that is whole without usage is estimated', async () => {
    model.respond = (response) => {
      sendChunk(response, 'first');
      endChunks(response);
    };
    await ask({ stream: true, max_tokens: 50 });
    expect(await calls()).toMatchObject([{ status: 'ok', output_tokens: '2', estimated: true }]);
  });
});

it.each([401, 402, 429])('a provider that refuses with %i is not up, and is counted', async (status) => {
  const counted = async () => {
    const { text } = await service.anonymous.get('/metrics');
    const count = (provider: string) =>
      Number(
        new RegExp(`acp_llm_refused_total\\{provider="${provider}",status="${status}"\\} (\\d+)`).exec(
          text,
        )?.[1] ?? 0,
      );
    return { up: /^acp_llm_up (\d)/m.exec(text)?.[1], default: count('default'), tenant: count('tenant') };
  };
  await ask();
  expect(await counted()).toEqual({ up: '1', default: 0, tenant: 0 });
  model.respond = (response) => response.writeHead(status).end('{}');
  await ask();
  expect(await counted()).toEqual({ up: '0', default: 1, tenant: 0 });
  await tenant.api.put('/v1/llm-providers/mine', { base_url: model.base_url, api_key: 'k' });
  await policy({ model: 'mine/large' });
  await ask();
  expect(await counted()).toMatchObject({ default: 1, tenant: 1 });
});

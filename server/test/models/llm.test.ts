import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import {
  type ChatRequest,
  endChunks,
  sendChunk,
  sendCompletion,
  usageOf,
} from '../support/fake-language-model.ts';
import {
  type Answer,
  ask,
  calls,
  HELLO,
  instance,
  model,
  modelsAsked,
  pathOf,
  policy,
  service,
  useModels,
  watchFallback,
} from '../support/models.ts';
import { OPERATIONS_TOKEN } from '../support/service.ts';

useModels();

const hasPython = spawnSync('python3', ['--version']).status === 0;

/** The official client, with only its address changed. */
const client = (of = instance) =>
  new OpenAI({
    baseURL: `${service.base_url}/internal/v1/instances/${of.id}/llm`,
    apiKey: OPERATIONS_TOKEN,
    maxRetries: 0,
  });

describe('a call of a model', () => {
  it('gets the service’s own model and key, although it names another one, and is stored', async () => {
    const { status, body } = await ask({ model: 'another', top_p: 0.5 });
    expect([status, body.choices[0]?.message.content]).toEqual([200, 'from own-model']);
    const [request] = model.requests as [ChatRequest];
    expect(request.headers.authorization).toBe('Bearer operators-key');
    expect(request.body).toMatchObject({ model: 'own-model', top_p: 0.5 });
    expect(await calls()).toMatchObject([
      { asked_model: 'own-model', model: 'own-model', status: 'ok', input_tokens: '10', cost: null },
    ]);
  });

  it('gets the policy’s model, or one that the policy allows, within the policy’s limits', async () => {
    await policy({ model: 'large', allowed_models: ['small'], temperature: 0.2, max_output_tokens: 50 });
    await ask({ model: 'other', temperature: 1, max_tokens: 400 });
    await ask({ model: 'small', temperature: 0.1, max_completion_tokens: 20 });
    await ask({ max_completion_tokens: 60, max_tokens: 400 });
    await ask();
    expect(model.requests.map(({ body }) => body)).toMatchObject([
      { model: 'large', temperature: 0.2, max_tokens: 50 },
      { model: 'small', temperature: 0.1, max_completion_tokens: 20 },
      { model: 'large', max_completion_tokens: 50, max_tokens: 50 },
      { model: 'large', temperature: 0.2, max_tokens: 50 },
    ]);
    const listed = await service.operations.get<{ data: { id: string }[] }>(
      `/internal/v1/instances/${instance.id}/llm/models`,
    );
    expect(listed.body.data.map(({ id }) => id)).toEqual(['large', 'small']);
  });

  it('may contain pictures when the catalogue says that the model supports them', async () => {
    const sees = { model_id: 'sees-1', slug: 'sees', capabilities: ['tools', 'vision'] };
    await service.operations.put('/internal/v1/models', { models: [sees] });
    await policy({ model: 'sees', fallback_models: ['unknown'] });
    const listed = await service.operations.get<{ data: object[] }>(
      `/internal/v1/instances/${instance.id}/llm/models`,
    );
    expect(listed.body.data).toMatchObject([
      { id: 'sees', capabilities: ['tools', 'vision'] },
      { id: 'unknown', capabilities: [] },
    ]);
  });

  it('gets the model that default_model or primary_model names where the policy has no model', async () => {
    await policy({ default_model: 'by-default', primary_model: 'primary' });
    await ask();
    await policy({ primary_model: 'primary' });
    await ask();
    expect(modelsAsked()).toEqual(['by-default', 'primary']);
  });

  it('works with the official client, also as a stream', async () => {
    const completion = await client().chat.completions.create({ ...HELLO, model: 'x' } as never);
    expect((completion as unknown as Answer).choices[0]?.message.content).toBe('from own-model');
    model.respond = (response) => {
      sendChunk(response, 'one ');
      sendChunk(response, 'two');
      endChunks(response, usageOf(7, 2));
    };
    const stream = await client().chat.completions.create({
      model: 'x',
      messages: [{ role: 'user', content: 'hello' }],
      stream: true,
    });
    const parts: OpenAI.ChatCompletionChunk[] = [];
    for await (const part of stream) parts.push(part);
    // Only the gateway asked for the event with the usage.
    expect(parts.map(({ choices }) => choices[0]?.delta.content)).toEqual(['one ', 'two', undefined]);
    expect(model.requests.at(-1)?.body.stream_options).toEqual({ include_usage: true });
    expect((await calls())[1]).toMatchObject({
      status: 'ok',
      input_tokens: '7',
      output_tokens: '2',
      estimated: false,
    });
  });

  it('gets a complete answer from a provider that only streams', async () => {
    model.respond = (response) => {
      sendChunk(response, 'one ');
      sendChunk(response, 'two');
      endChunks(response, usageOf(7, 2));
    };
    const { body } = await ask();
    expect(body).toMatchObject({
      choices: [{ message: { content: 'one two' } }],
      usage: { prompt_tokens: 7 },
    });
    expect(await calls()).toMatchObject([{ input_tokens: '7', estimated: false }]);
  });

  it.skipIf(!hasPython)('works with Python’s standard library', async () => {
    const script = `
import json, os, urllib.request
def ask(body):
    request = urllib.request.Request(os.environ['LLM_BASE_URL'] + '/chat/completions', json.dumps(body).encode(),
        {'Authorization': 'Bearer ' + os.environ['LLM_API_KEY'], 'Content-Type': 'application/json'})
    return urllib.request.urlopen(request)
hello = [{'role': 'user', 'content': 'hello'}]
print(json.load(ask({'messages': hello}))['choices'][0]['message']['content'])
for line in ask({'messages': hello, 'stream': True}):
    if line.startswith(b'data: {'): print(json.loads(line[6:])['choices'][0]['delta'].get('content', ''))
`;
    model.respond = (response, { body }) => {
      if (!body.stream) return sendCompletion(response, 'whole');
      sendChunk(response, 'piece');
      endChunks(response);
    };
    const env = {
      LLM_BASE_URL: `${service.base_url}/internal/v1/instances/${instance.id}/llm`,
      LLM_API_KEY: OPERATIONS_TOKEN,
    };
    const { stdout } = await promisify(execFile)('python3', ['-c', script], {
      env: { ...process.env, ...env },
    });
    expect(stdout.trim().split('\n')).toEqual(['whole', 'piece']);
  });

  it('gets the first event before the last one exists', async () => {
    const held: ServerResponse[] = [];
    model.respond = (response) => {
      sendChunk(response, 'first');
      held.push(response);
    };
    const stream = await client().chat.completions.create({
      model: 'x',
      messages: [{ role: 'user', content: 'hello' }],
      stream: true,
    });
    const parts = stream[Symbol.asyncIterator]();
    expect((await parts.next()).value?.choices[0]?.delta.content).toBe('first');
    for (const response of held) endChunks(response);
    expect((await parts.next()).value?.choices[0]?.finish_reason).toBe('stop');
    expect((await parts.next()).done).toBe(true);
    expect(await calls()).toMatchObject([{ status: 'ok', estimated: true, output_tokens: '2' }]);
  });

  it.each([429, 500, 503])('that fails with %i goes to the fallbacks', async (failure) => {
    await policy({ model: 'first', fallback_models: ['second', 'third'] });
    model.respond = (response, { body }) =>
      body.model === 'third' ? sendCompletion(response, 'third') : response.writeHead(failure).end('{}');
    expect((await ask()).status).toBe(200);
    expect(modelsAsked()).toEqual(['first', 'second', 'third']);
    expect(await calls()).toMatchObject([
      { asked_model: 'first', model: 'third', status: 'ok', estimated: true },
    ]);
  });

  it('whose model hangs, or breaks off before the first byte, goes to the fallbacks', async () => {
    await policy({ model: 'hangs', fallback_models: ['breaks', 'answers'] });
    const passLimit = watchFallback();
    model.respond = (response, { body }) => {
      if (body.model === 'hangs') passLimit();
      if (body.model === 'breaks')
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      if (body.model === 'breaks') response.destroy();
      if (body.model !== 'answers') return;
      sendChunk(response, 'here');
      endChunks(response);
    };
    const { text } = await ask({ stream: true });
    expect(text).toContain('here');
    expect(modelsAsked()).toEqual(['hangs', 'breaks', 'answers']);
  });

  it('never goes to a fallback after the first byte: the stream ends with the failure', async () => {
    await policy({ model: 'breaks', fallback_models: ['answers'] });
    model.respond = (response) => {
      sendChunk(response, 'half');
      setImmediate(() => response.destroy());
    };
    const { text } = await ask({ stream: true });
    const last = JSON.parse(text.trim().split('\n\n').at(-1)?.slice('data: '.length) ?? '') as Answer;
    expect(last).toMatchObject({ detail: 'The model’s answer broke off', error: { code: 'stream_broken' } });
    expect(modelsAsked()).toEqual(['breaks']);
    expect(await calls()).toMatchObject([{ status: 'failed', estimated: true }]);
  });

  it('of an unknown model goes to the fallbacks, then to the service’s own', async () => {
    await policy({ model: 'unknown', fallback_models: ['unknown-too'] });
    model.respond = (response, { body }) =>
      body.model === 'own-model'
        ? sendCompletion(response, 'own', usageOf(1, 1))
        : response
            .writeHead(404)
            .end(JSON.stringify({ error: { message: 'no such model', code: 'model_not_found' } }));
    expect((await ask()).status).toBe(200);
    expect(modelsAsked()).toEqual(['unknown', 'unknown-too', 'own-model']);
    expect(await calls()).toMatchObject([{ asked_model: 'unknown', model: 'own-model' }]);
  });

  it('does not unpack a compressed answer, which nobody asked for', async () => {
    model.respond = (response) => {
      const answer = { choices: [{ index: 0, message: { role: 'assistant', content: 'packed' } }] };
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(JSON.stringify(answer)));
    };
    const packed = await ask();
    expect([packed.status, packed.text]).toEqual([502, expect.stringContaining('compressed')]);
  });

  it('refuses an answer that is nested too deeply, too long or of too many values', async () => {
    for (const more of [
      '['.repeat(500_000),
      `${'['.repeat(101)}${']'.repeat(101)}`,
      JSON.stringify(Array(50_001).fill(0)),
      `"${'x'.repeat(1024 * 1024)}"`,
    ]) {
      model.respond = (response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(`{"choices":[],"more":${more}}`);
      expect((await ask()).status).toBe(502);
    }
  });

  it('fails with the provider’s status and message, without its key', async () => {
    const words = {
      error: { message: 'Bad tool for operators-key', type: 'x', param: 'tools', code: 'bad_tool' },
    };
    model.respond = (response) => response.writeHead(400).end(JSON.stringify(words));
    const refused = await ask();
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        detail: 'Bad tool for [secret]',
        error: {
          message: 'Bad tool for [secret]',
          type: 'invalid_request_error',
          param: 'tools',
          code: 'bad_tool',
          status: 400,
        },
      },
    ]);
    model.respond = (response) => response.writeHead(401).end(JSON.stringify(words));
    expect(await ask()).toMatchObject({ status: 502, body: { error: { status: 401 } } });
    await expect(client().models.list()).resolves.toBeDefined();
    await expect(client().chat.completions.create({ ...HELLO, model: 'x' } as never)).rejects.toMatchObject({
      status: 502,
    });
  });

  it('is aborted at the provider and settled when its client disconnects', async () => {
    let left = false;
    model.respond = (response) => {
      response.on('close', () => (left = true));
      sendChunk(response, 'first');
    };
    const aborted = new AbortController();
    const response = await fetch(service.base_url + pathOf(instance), {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATIONS_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...HELLO, stream: true }),
      signal: aborted.signal,
    });
    await response.body?.getReader().read();
    aborted.abort();
    await expect.poll(() => left).toBe(true);
    await expect
      .poll(() => calls())
      .toMatchObject([{ status: 'aborted', estimated: true, output_tokens: '16384' }]);
  });

  it('has OpenAI’s error beside every detail', async () => {
    const unknown = await ask({}, pathOf({ ...instance, id: randomUUID() }));
    expect(unknown.body).toMatchObject({ detail: 'Instance not found', error: { type: 'not_found_error' } });
    const invalid = await service.operations.post<Answer>(pathOf(instance), { messages: [] });
    expect([invalid.status, invalid.body.error?.type]).toEqual([422, 'invalid_request_error']);
    const nobody = await service.anonymous.post<Answer>(pathOf(instance), HELLO);
    expect([nobody.status, nobody.body.error?.type]).toEqual([401, 'authentication_error']);
    const unserved = await service.operations.post<Answer>(
      pathOf(instance).replace('chat/completions', 'embeddings'),
      { input: 'hello' },
    );
    expect(unserved).toMatchObject({
      status: 404,
      body: {
        detail: expect.stringMatching(/^Route not found\. There are POST .*completions and GET .*models$/),
        error: { type: 'not_found_error' },
      },
    });
    const wrong = await service.operations.get<Answer>(pathOf(instance));
    expect([wrong.status, wrong.headers.get('allow'), wrong.body.error?.type]).toEqual([
      405,
      'POST',
      'invalid_request_error',
    ]);
  });

  it('may have 8 MiB, with at most 8 such calls at once', async () => {
    const content = 'x'.repeat(7 * 1024 * 1024);
    expect((await ask({ messages: [{ role: 'user', content }] })).status).toBe(200);
    expect((await ask({ messages: [{ role: 'user', content: content + content }] })).body).toMatchObject({
      detail: 'The body is larger than 8 MiB',
      error: { type: 'invalid_request_error' },
    });
    const answers: (() => void)[] = [];
    model.respond = (response) => answers.push(() => sendCompletion(response, 'late'));
    const held = Array.from({ length: 8 }, () => ask());
    await expect.poll(() => answers).toHaveLength(8);
    expect(await ask()).toMatchObject({ status: 429, body: { error: { type: 'rate_limit_error' } } });
    for (const answer of answers) answer();
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual(
      Array.from({ length: 8 }, () => 200),
    );
  });
});

import type { ServerResponse } from 'node:http';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { sendCompletion, usageOf } from '../support/fake-language-model.ts';
import { insertInstance } from '../support/instances.ts';
import {
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
} from '../support/models.ts';
import { OPERATIONS_TOKEN } from '../support/service.ts';

useModels();

const sendJson = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const sendEvents = (response: ServerResponse, ...events: (string | object)[]) =>
  response
    .writeHead(200, { 'content-type': 'text/event-stream' })
    .end(events.map((one) => (typeof one === 'string' ? one : `data: ${JSON.stringify(one)}\n\n`)).join(''));

const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason, ...more }],
});

const answer = (
  message: object,
  finish_reason: string | null = 'stop',
  usage: object | null = usageOf(10, 5),
) => ({
  id: 'c',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
  ...(usage && { usage }),
});

/** As the official client puts it together. */
async function streamed() {
  const client = new OpenAI({
    baseURL: `${service.base_url}/internal/v1/instances/${instance.id}/llm`,
    apiKey: OPERATIONS_TOKEN,
    maxRetries: 0,
  });
  const stream = client.chat.completions.stream({
    ...HELLO,
    model: 'x',
    stream_options: { include_usage: true },
  } as never);
  const completion = await stream.finalChatCompletion();
  const [choice] = completion.choices;
  return {
    message: choice?.message as unknown as Record<string, unknown>,
    finish: choice?.finish_reason,
    usage: completion.usage,
  };
}

async function whole() {
  const { body } = await ask();
  const [choice] = body.choices as unknown as { message: Record<string, unknown>; finish_reason: string }[];
  return {
    message: choice?.message,
    finish: choice?.finish_reason,
    usage: (body as unknown as { usage: object }).usage,
  };
}

describe('an answer that is none', () => {
  const ERROR = {
    error: { message: 'Rate limit exceeded: free-models-per-day', code: 429 },
    user_id: 'user_1',
  };
  const NONE: [string, object, Partial<{ status: number; words: string }>][] = [
    ['an error', ERROR, { status: 429, words: 'Rate limit exceeded: free-models-per-day' }],
    ['an error as text', { error: 'Model unloaded.' }, { status: 502, words: 'Model unloaded.' }],
    ['no choices', { choices: [], usage: usageOf(0, 0) }, { status: 502, words: 'no choices' }],
    [
      'choices of null',
      { choices: null, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } },
      { words: 'insufficient balance' },
    ],
    [
      'a code',
      { code: 'Throttling', message: 'Requests rate limit exceeded' },
      { words: 'Requests rate limit' },
    ],
    [
      'an error of its choice',
      { choices: [{ index: 0, error: { code: 502, message: 'Upstream idle' }, message: { content: '' } }] },
      { words: 'Upstream idle' },
    ],
    ['a choice that failed', answer({ content: 'half' }, 'insufficient_system_resource'), { status: 502 }],
  ];
  it.each(NONE)(
    'but %s goes to the fallback, else fails with its words',
    async (_name, none, { status = 502, words = '' }) => {
      model.respond = (response, { body }) =>
        body.model === 'second'
          ? sendCompletion(response, 'from second', usageOf(1, 1))
          : sendJson(response, none);
      const refused = await ask();
      expect([refused.status, refused.body.error?.message]).toEqual([status, expect.stringContaining(words)]);
      await policy({ model: 'first', fallback_models: ['second'] });
      expect((await ask()).body.choices[0]?.message.content).toBe('from second');
      expect((await calls()).filter(({ status: ended }) => ended === 'ok')).toMatchObject([
        { model: 'second' },
      ]);
    },
  );

  it.each([
    ['an error event', [': OPENROUTER PROCESSING\n\n', chunk({ role: 'assistant', content: '' }), ERROR]],
    [
      'a named event',
      ['event: error\ndata: {"error":{"message":"Rate limit exceeded"}}\n\n', 'data: [DONE]\n\n'],
    ],
    ['an event of another name', ['error: {"code":429,"message":"Rate limit exceeded"}\n\n']],
    ['nothing but comments', [': alive\n\n', ': alive\n\n']],
    ['an end without a reason', [chunk({ role: 'assistant', content: '' }), 'data: [DONE]\n\n']],
  ])('but a stream with %s goes to the fallback', async (_name, events) => {
    await policy({ model: 'first', fallback_models: ['second'] });
    model.respond = (response, { body }) =>
      body.model === 'second'
        ? sendEvents(response, chunk({ content: 'from second' }, 'stop'), 'data: [DONE]\n\n')
        : sendEvents(response, ...events);
    expect((await streamed()).message.content).toBe('from second');
    expect((await calls()).map(({ status }) => status).filter((status) => status === 'ok')).toHaveLength(1);
  });

  it('but an error after the first word ends the stream with the provider’s words', async () => {
    const metadata = { raw: 'Worker limit reached' };
    const failure = { error: { message: 'Provider returned error', code: 502, metadata } };
    model.respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(chunk({ content: 'half' }))}\n\n`);
      setTimeout(() => response.end(`data: ${JSON.stringify(failure)}\n\n`), 50);
    };
    const { text } = await ask({ stream: true });
    expect(text).toContain('half');
    expect(text).toContain('Provider returned error: Worker limit reached');
    expect(text).not.toContain('[DONE]');
    expect(await calls()).toMatchObject([{ status: 'failed' }]);
  });

  it.each([401, 402, 403, 404, 408, 409, 413, 429, 503])('but %i goes to the fallback', async (status) => {
    await policy({ model: 'first', fallback_models: ['second'] });
    model.respond = (response, { body }) =>
      body.model === 'second'
        ? sendCompletion(response, 'from second')
        : sendJson(response, { error: { message: 'no' } }, status);
    expect((await ask()).status).toBe(200);
    expect(modelsAsked()).toEqual(['first', 'second']);
  });
});

describe('a stream', () => {
  it('is whole after its reason, although the provider marks no end', async () => {
    model.respond = (response) =>
      sendEvents(
        response,
        chunk({ content: 'We open ' }),
        chunk({ content: 'at nine.' }),
        chunk({}, 'stop'),
        { id: 'c', choices: [], usage: usageOf(100, 20) },
      );
    const { text } = await ask({ stream: true });
    expect(text).not.toContain('error');
    expect(text.trim().endsWith('data: [DONE]')).toBe(true);
    expect(await streamed()).toMatchObject({
      message: { content: 'We open at nine.' },
      usage: { completion_tokens: 20 },
    });
    expect(await calls()).toMatchObject([{ status: 'ok', output_tokens: '20' }, { status: 'ok' }]);
  });

  it('comes also from a provider that does not stream', async () => {
    model.respond = (response) => sendCompletion(response, '<think>No.</think>Yes.', usageOf(3, 2));
    expect(await streamed()).toMatchObject({
      message: { content: 'Yes.' },
      finish: 'stop',
      usage: { prompt_tokens: 3 },
    });
  });
});

/** Messages and what callers get. */
const SHAPES: [string, object, object][] = [
  ['text', { content: 'Yes.' }, { content: 'Yes.' }],
  [
    'thoughts in tags',
    { content: '<think>\nNo.\n</think>\n\nYes.' },
    { content: 'Yes.', reasoning_content: '\nNo.\n' },
  ],
  [
    'parts',
    {
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: 'No.' }] },
        { type: 'text', text: 'Yes' },
        { type: 'text', text: '.' },
      ],
    },
    { content: 'Yes.', reasoning_content: 'No.' },
  ],
  ['reasoning', { content: 'Yes.', reasoning: 'No.' }, { content: 'Yes.', reasoning_content: 'No.' }],
  [
    'reasoning details',
    { content: 'Yes.', reasoning_details: [{ type: 'reasoning.text', text: 'No.' }] },
    { content: 'Yes.', reasoning_content: 'No.' },
  ],
  [
    'thinking',
    { content: 'Yes.', thinking: 'No.', thinking_blocks: [{ type: 'thinking', thinking: 'No.' }] },
    { content: 'Yes.', reasoning_content: 'No.' },
  ],
];

it.each(SHAPES)('%s has one shape', async (_name, message, expected) => {
  model.respond = (response, { body }) =>
    body.stream === true
      ? sendEvents(response, chunk(message), chunk({}, 'stop'))
      : sendJson(response, answer(message));
  for (const { message: told } of [await whole(), await streamed()]) {
    expect(told).toMatchObject(expected);
    expect(Object.keys(told ?? {})).not.toEqual(expect.arrayContaining(['reasoning']));
    expect(JSON.stringify(told?.content)).not.toContain('No.');
  }
});

describe('a lone </think>', () => {
  it('ends thoughts, and a stream of the same model is held back until it', async () => {
    await policy({ model: 'unopened' });
    const pieces = ['The limit is 50.', '\n</th', 'ink>\n\n', 'I offer', ' 10.'];
    model.respond = (response, { body }) =>
      body.stream === true
        ? sendEvents(response, ...pieces.map((content) => chunk({ content })), chunk({}, 'stop'))
        : sendJson(response, answer({ content: pieces.join('') }));
    for (const { message } of [await whole(), await streamed()]) {
      expect(message).toMatchObject({ content: 'I offer 10.', reasoning_content: 'The limit is 50.\n' });
    }
  });

  it('of one tenant’s call holds back no stream of another tenant on the same model', async () => {
    const other = await insertInstance(service, (await service.createTenant()).tenant_id);
    model.respond = (response, { body }) =>
      body.stream === true
        ? sendEvents(
            response,
            chunk({ content: 'No.' }),
            chunk({ content: '</think>Yes.' }),
            chunk({}, 'stop'),
          )
        : sendJson(response, answer({ content: 'No.</think>Yes.' }));
    expect((await ask({}, pathOf(other))).status).toBe(200);
    expect((await streamed()).message).toMatchObject({ content: 'No.Yes.' });
  });
});

const pieceOf = (id: string, args: unknown, index?: number) => ({
  id,
  index,
  function: { name: 'f', arguments: args },
});

describe('calls of tools', () => {
  const call = { id: 'call_1', function: { name: 'my_shifts', arguments: '' } };
  const expected = { id: 'call_1', type: 'function', function: { name: 'my_shifts', arguments: '{}' } };
  it.each([
    ['no type and no arguments', call],
    ['arguments of null', { ...call, function: { name: 'my_shifts', arguments: null } }],
    ['an object of arguments', { ...call, function: { name: 'my_shifts', arguments: {} } }],
  ])('have one shape with %s', async (_name, given) => {
    const message = { content: null, tool_calls: [given] };
    model.respond = (response, { body }) =>
      body.stream === true
        ? sendEvents(response, chunk(message), chunk({}, 'stop'))
        : sendJson(response, answer(message));
    const told = await whole();
    expect([told.message?.tool_calls, told.finish]).toEqual([[{ ...expected, index: 0 }], 'tool_calls']);
    const inStream = await streamed();
    expect([inStream.message.tool_calls, inStream.finish]).toMatchObject([[expected], 'tool_calls']);
  });

  it('keep apart where a provider gives no place, the same place or no id', async () => {
    for (const index of [undefined, 0]) {
      model.respond = (response) =>
        sendEvents(
          response,
          chunk({ tool_calls: [pieceOf('a', '{"x":1}', index)] }),
          chunk({ tool_calls: [pieceOf('b', { x: 2 }, index)] }),
          chunk({}, 'stop'),
        );
      expect((await streamed()).message.tool_calls).toMatchObject([
        { id: 'a', function: { arguments: '{"x":1}' } },
        { id: 'b', function: { arguments: '{"x":2}' } },
      ]);
    }
    model.respond = (response) =>
      sendEvents(
        response,
        chunk({ tool_calls: [{ index: 0, function: { name: 'f' } }] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '{"x":' } }] }),
        chunk({ tool_calls: [{ index: 0, id: '', function: { name: '', arguments: '1}' } }] }),
        chunk({}, 'tool_calls'),
      );
    const { message } = await streamed();
    expect(message.tool_calls).toMatchObject([
      {
        id: expect.stringMatching(/^call_/),
        type: 'function',
        function: { name: 'f', arguments: '{"x":1}' },
      },
    ]);
  });

  it('keep what the provider wants to see again', async () => {
    const signed = { ...call, extra_content: { google: { thought_signature: 's' } } };
    model.respond = (response) => sendJson(response, answer({ tool_calls: [signed] }));
    expect((await whole()).message?.tool_calls).toMatchObject([
      { extra_content: { google: { thought_signature: 's' } } },
    ]);
  });
});

it.each([
  ['end_turn', 'stop'],
  ['eos', 'stop'],
  ['COMPLETE', 'stop'],
  ['<|eot_id|>', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['model_length', 'length'],
  ['SAFETY', 'content_filter'],
])('the reason %s is %s', async (given, expected) => {
  model.respond = (response, { body }) =>
    body.stream === true
      ? sendEvents(response, chunk({ content: 'Yes.' }), chunk({}, given))
      : sendJson(response, answer({ content: 'Yes.' }, given));
  const { text } = await ask({ stream: true });
  expect([(await whole()).finish, text]).toEqual([
    expected,
    expect.stringContaining(`"finish_reason":"${expected}"`),
  ]);
});

/** Usage, and input, cached input and output. */
const USAGES: [string, object, number[]][] = [
  [
    'xAI',
    {
      prompt_tokens: 32,
      completion_tokens: 9,
      total_tokens: 135,
      completion_tokens_details: { reasoning_tokens: 94 },
    },
    [32, 0, 103],
  ],
  ['Gemini', { prompt_tokens: 20, completion_tokens: 424, total_tokens: 1016 }, [20, 0, 996]],
  [
    'OpenAI',
    {
      prompt_tokens: 32,
      completion_tokens: 103,
      total_tokens: 135,
      completion_tokens_details: { reasoning_tokens: 94 },
    },
    [32, 0, 103],
  ],
  [
    'Perplexity',
    { prompt_tokens: 33, completion_tokens: 10, total_tokens: 43, reasoning_tokens: 700 },
    [33, 0, 710],
  ],
  [
    'DeepSeek',
    {
      prompt_tokens: 100,
      completion_tokens: 5,
      total_tokens: 105,
      prompt_cache_hit_tokens: 64,
      prompt_cache_miss_tokens: 36,
    },
    [100, 64, 5],
  ],
  [
    'Anthropic behind a proxy',
    { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105, cache_read_input_tokens: 64 },
    [100, 64, 5],
  ],
  [
    'Anthropic',
    { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 64, cache_creation_input_tokens: 6 },
    [80, 64, 5],
  ],
  ['Bedrock', { inputTokens: 10, outputTokens: 5, totalTokens: 79, cacheReadInputTokens: 64 }, [74, 64, 5]],
  [
    'Moonshot',
    { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105, cached_tokens: 64 },
    [100, 64, 5],
  ],
];

it.each(USAGES)('the usage of %s counts all of it', async (_name, usage, [input, cached, output]) => {
  model.respond = (response, { body }) =>
    body.stream === true
      ? sendEvents(response, chunk({ content: 'Yes.' }, 'stop'), { choices: [], usage })
      : sendJson(response, answer({ content: 'Yes.' }, 'stop', usage));
  const expected = {
    prompt_tokens: input,
    completion_tokens: output,
    prompt_tokens_details: { cached_tokens: cached },
  };
  expect([(await whole()).usage, (await streamed()).usage]).toMatchObject([expected, expected]);
  const row = { status: 'ok', input_tokens: String(input), output_tokens: String(output), estimated: false };
  expect(await calls()).toMatchObject([row, row]);
});

it.each([
  ['the choice', chunk({ content: 'Yes.' }, 'stop', { usage: usageOf(7, 2) })],
  ['a field of its own', { ...chunk({ content: 'Yes.' }, 'stop'), x_groq: { usage: usageOf(7, 2) } }],
  ['the last event', { ...chunk({ content: 'Yes.' }, 'stop'), usage: usageOf(7, 2) }],
])('the usage is found in %s', async (_name, event) => {
  model.respond = (response) => sendEvents(response, event, 'data: [DONE]\n\n');
  expect((await streamed()).usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 2 });
  expect(await calls()).toMatchObject([{ input_tokens: '7', estimated: false }]);
});

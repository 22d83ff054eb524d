import { describe, expect, it } from 'vitest';
import { sendCompletion, usageOf } from '../support/fake-language-model.ts';
import { type Answer, ask, calls, instance, model, policy, service, useModels } from '../support/models.ts';

useModels();

type Body = Record<string, unknown>;
const openAi = (message: string, param: string | null, code: string | null) => ({
  error: { message, type: 'invalid_request_error', param, code },
});

interface Refusal {
  /** A call's fields at last; undefined: left out. */
  sent: Body;
  asked: Body;
  refuses: (body: Body) => object | undefined;
  status?: number;
}

/** As these providers refuse, by public reports (docs/models.md). */
const REFUSALS: Record<string, Refusal> = {
  'gpt-5 at Azure: max_tokens and temperature': {
    asked: { max_tokens: 50, temperature: 0.2 },
    sent: { max_tokens: undefined, max_completion_tokens: 50, temperature: undefined },
    refuses: ({ max_tokens, temperature }) => {
      if (max_tokens !== undefined)
        return openAi(
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
          'max_tokens',
          'unsupported_parameter',
        );
      if (temperature === undefined) return undefined;
      return openAi(
        "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
        'temperature',
        'unsupported_value',
      );
    },
  },
  'Mistral: max_completion_tokens': {
    status: 422,
    asked: { max_completion_tokens: 50 },
    sent: { max_completion_tokens: undefined, max_tokens: 50 },
    refuses: ({ max_completion_tokens }) =>
      max_completion_tokens === undefined
        ? undefined
        : {
            object: 'error',
            message: {
              detail: [
                {
                  type: 'extra_forbidden',
                  loc: ['body', 'max_completion_tokens'],
                  msg: 'Extra inputs are not permitted',
                },
              ],
            },
            type: 'invalid_request_error',
          },
  },
  'vLLM: max_completion_tokens': {
    asked: { max_completion_tokens: 50 },
    sent: { max_completion_tokens: undefined, max_tokens: 50 },
    refuses: ({ max_completion_tokens }) =>
      max_completion_tokens === undefined
        ? undefined
        : {
            object: 'error',
            message:
              "[{'type': 'extra_forbidden', 'loc': ('body', 'max_completion_tokens'), 'msg': 'Extra inputs are not permitted'}]",
            code: 400,
          },
  },
  'DeepSeek: a limit above its own': {
    asked: { max_tokens: 16_384 },
    sent: { max_tokens: undefined },
    refuses: ({ max_tokens }) =>
      Number(max_tokens) > 8192
        ? openAi('Invalid max_tokens value, the valid range of max_tokens is [1, 8192]', null, null)
        : undefined,
  },
  'Gemini: parallel_tool_calls and seed': {
    asked: { parallel_tool_calls: false, seed: 1 },
    sent: { parallel_tool_calls: undefined, seed: undefined },
    refuses: ({ parallel_tool_calls, seed }) => {
      const name = parallel_tool_calls === undefined ? 'seed' : 'parallel_tool_calls';
      return parallel_tool_calls === undefined && seed === undefined
        ? undefined
        : [
            {
              error: {
                code: 400,
                message: `Invalid JSON payload received. Unknown name "${name}": Cannot find field.`,
              },
            },
          ];
    },
  },
  'Claude at Bedrock: temperature': {
    asked: { temperature: 0.2 },
    sent: { temperature: undefined },
    refuses: ({ temperature }) =>
      temperature === undefined
        ? undefined
        : { message: 'The model returned the following errors: `temperature` is deprecated for this model.' },
  },
  'xAI: presence_penalty': {
    asked: { presence_penalty: 0.5 },
    sent: { presence_penalty: undefined },
    refuses: ({ presence_penalty }) =>
      presence_penalty === undefined
        ? undefined
        : {
            code: 'Client specified an invalid argument',
            error: 'Model grok-4 does not support parameter presencePenalty.',
          },
  },
  'Groq: reasoning of earlier messages': {
    asked: {
      messages: [
        { role: 'assistant', content: 'Yes.', reasoning_content: 'No.' },
        { role: 'user', content: 'Why?' },
      ],
    },
    sent: {
      messages: [
        { role: 'assistant', content: 'Yes.' },
        { role: 'user', content: 'Why?' },
      ],
    },
    refuses: ({ messages }) =>
      JSON.stringify(messages).includes('reasoning_content')
        ? openAi(
            "'messages.0' : for 'role:assistant' the following must be satisfied[('messages.0' : property 'reasoning_content' is unsupported)]",
            null,
            null,
          )
        : undefined,
  },
};

const respondAs = ({ refuses, status = 400 }: Pick<Refusal, 'refuses' | 'status'>) => {
  model.respond = (response, { body }) => {
    const refusal = refuses(body);
    if (refusal === undefined) return sendCompletion(response, 'Yes.', usageOf(1, 1));
    return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(refusal));
  };
};

describe('a field that a model refuses by name', () => {
  it.each(Object.entries(REFUSALS))(
    'is left out or renamed, and is remembered: %s',
    async (name, refusal) => {
      await policy({ model: name });
      respondAs(refusal);
      const [first, second] = [await ask(refusal.asked), await ask(refusal.asked)];
      expect([first.status, second.status]).toEqual([200, 200]);
      const bodies = model.requests.map(({ body }) => body as Body);
      const sent = Object.fromEntries(
        Object.keys(refusal.sent).map((field) => [field, bodies.at(-1)?.[field]]),
      );
      expect(sent).toEqual(refusal.sent);
      expect(bodies.filter((body) => refusal.refuses(body) === undefined)).toEqual([
        bodies.at(-2),
        bodies.at(-1),
      ]);
      expect(await calls()).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
    },
  );

  it('is told to the caller that asked for it', async () => {
    await policy({ model: 'no-temperature' });
    respondAs({
      refuses: ({ temperature }) =>
        temperature === undefined
          ? undefined
          : openAi("Unsupported parameter: 'temperature'", 'temperature', null),
    });
    expect((await ask({ temperature: 0.3, metadata: {} })).headers.get('x-acp-ignored')).toBe(
      'metadata, temperature',
    );
    expect((await ask()).headers.get('x-acp-ignored')).toBe(null);
  });

  it('may be the usage of a stream, which is then estimated', async () => {
    await policy({ model: 'no-stream-options' });
    const detail = [
      {
        type: 'extra_forbidden',
        loc: ['body', 'stream_options', 'include_usage'],
        msg: 'Extra inputs are not permitted',
      },
    ];
    model.respond = (response, { body }) => {
      if (body.stream_options !== undefined)
        return response.writeHead(422).end(JSON.stringify({ object: 'error', message: { detail } }));
      const event = { choices: [{ index: 0, delta: { content: 'Yes.' }, finish_reason: 'stop' }] };
      return response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`data: ${JSON.stringify(event)}\n\n`);
    };
    for (const _ of [1, 2]) expect((await ask({ stream: true })).text).toContain('Yes.');
    expect(model.requests).toHaveLength(3);
    expect(await calls()).toMatchObject([
      { status: 'ok', estimated: true },
      { status: 'ok', estimated: true },
    ]);
  });

  it('is remembered for its model alone, and not for a value that is out of range', async () => {
    await policy({ model: 'range', allowed_models: ['range', 'other'] });
    respondAs({
      refuses: ({ temperature }) =>
        Number(temperature) > 1
          ? openAi('temperature: must be between 0 and 1', 'temperature', null)
          : undefined,
    });
    expect((await ask({ temperature: 1.5 })).status).toBe(400);
    await ask({ temperature: 0.5 });
    expect(model.requests.at(-1)?.body.temperature).toBe(0.5);
  });
});

describe('a provider’s words', () => {
  const SAID: [string, object, string][] = [
    [
      'an object',
      { object: 'error', message: { detail: [{ msg: 'Extra inputs are not permitted' }] } },
      'Extra inputs are not permitted',
    ],
    ['a list', { detail: [{ loc: ['body', 'messages'], msg: 'Field required' }] }, 'Field required'],
    ['a text', { error: 'model is loading' }, 'model is loading'],
    ['an error without a message', { error: { code: 7, reason: 'odd' } }, 'odd'],
  ];
  it.each(SAID)('are shown as %s', async (_name, said, words) => {
    model.respond = (response) => response.writeHead(400).end(JSON.stringify(said));
    const { status, body } = await ask();
    expect([status, body.error?.message]).toEqual([400, expect.stringContaining(words)]);
  });
});

it('a route that there is not names those that there are', async () => {
  const path = `/internal/v1/instances/${instance.id}/llm/responses`;
  const { status, body } = await service.operations.post<Answer>(path, { input: 'hello' });
  expect([status, body.error?.type]).toEqual([404, 'not_found_error']);
  expect(body.detail).toContain('POST /internal/v1/instances/{instance_id}/llm/chat/completions');
  expect(body.error?.message).toBe(body.detail);
});

import { describe, expect, it } from 'vitest';
import { assemble } from './assemble.ts';
import { ChatStream } from './chat-stream.ts';
import { EventSplitter } from './event-splitter.ts';
import { BadAnswer, StreamEnd, ToldFailure } from './told-failure.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const newStream = (isHeld = false) => new ChatStream({ input_tokens: 1, wantsUsage: true, isHeld });
const SIZES = [1, 2, 3, 7, 1000];

function answerOf(text: string, size: number, stream = newStream()) {
  let out = '';
  for (let at = 0; at < text.length; at += size) out += stream.pass(encode(text.slice(at, at + size)));
  return assemble(out + stream.end());
}

const eventOf = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const textOf = (text: string, size: number) =>
  (text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? []).map((content) => eventOf({ content })).join('') +
  eventOf({}, 'stop');
const messageOf = (completion: object) =>
  (completion as { choices: { message: object }[] }).choices[0]?.message as Record<string, unknown>;

it.each(SIZES)('splits events in pieces of %i, however they are written', (size) => {
  const text =
    ': alive\n\ndata: {"a":1}\r\n\r\nevent: error\ndata: {"b":2}\n\ndata: {"c":3}\ndata: [DONE]\n\nerror: {"d":4}\n\n{"e":5}';
  const splitter = new EventSplitter();
  const events = [];
  for (let at = 0; at < text.length; at += size)
    events.push(...splitter.push(encode(text.slice(at, at + size))));
  expect([...events, ...splitter.end()]).toEqual([
    { data: '{"a":1}', isError: false },
    { data: '{"b":2}', isError: true },
    { data: '{"c":3}', isError: false },
    { data: '[DONE]', isError: false },
    { data: '{"d":4}', isError: true },
    { data: '{"e":5}', isError: false },
  ]);
});

it('takes small pieces of a long event in linear time', () => {
  const stream = newStream();
  const piece = encode('x'.repeat(16));
  const began = process.cpuUsage().user;
  for (let count = 0; count < 60_000; count++) stream.pass(piece);
  // A search through all that came before took 30 s.
  expect((process.cpuUsage().user - began) / 1e6).toBeLessThan(3);
});

const callOf = (index: unknown) => ({ index, id: 'c', function: { name: 'f', arguments: '{}' } });

it('ignores a tool call with a place out of reach', () => {
  const events = [4_000_000_000, 1e300, -1, 'x', 0].map((index) => eventOf({ tool_calls: [callOf(index)] }));
  const { tool_calls } = messageOf(answerOf(events.join('') + eventOf({}, 'tool_calls'), 1000));
  expect(tool_calls).toMatchObject([{ id: 'c', index: 0 }]);
});

const THOUGHT: [string, string, string, boolean?][] = [
  ['<think>\nNo.\n</think>\n\nYes.', 'Yes.', '\nNo.\n'],
  [' \n<think>No.</think><think>Never.</think>Yes.', 'Yes.', 'No.Never.'],
  ['<think></think>Yes.', 'Yes.', ''],
  ['<thought>No.</thought>Yes.', 'Yes.', 'No.'],
  ['[THINK]No.[/THINK]Yes.', 'Yes.', 'No.'],
  ['◁think▷No.◁/think▷Yes.', 'Yes.', 'No.'],
  ['<think>It is never', '', 'It is never'],
  ['No.\n</think>\n\nYes.', 'Yes.', 'No.\n', true],
  ['Yes.', 'Yes.', '', true],
  ['  Yes <b> & </thin', '  Yes <b> & </thin', ''],
  ['They write <think> and </think>.', 'They write <think> and </think>.', ''],
];

it.each(THOUGHT)(
  'tells %j apart from thoughts in a stream, cut anywhere',
  (text, content, reasoning, isHeld) => {
    for (const size of SIZES) {
      const message = messageOf(answerOf(textOf(text, size), 1000, newStream(isHeld)));
      expect([message.content ?? '', message.reasoning_content ?? '']).toEqual([content, reasoning]);
    }
  },
);

it('learns that a model thinks without a beginning', () => {
  const stream = newStream();
  expect(messageOf(answerOf(textOf('No.</think>Yes.', 3), 1000, stream))).toEqual({
    role: 'assistant',
    content: 'No.Yes.',
  });
  expect(stream.isUnopened).toBe(true);
});

it.each([
  ['an error', 'data: {"error":{"message":"no"}}\n\n'],
  ['a named error', 'event: error\ndata: "no"\n\n'],
  ['an error as text', 'data: {"error":"no"}\n\n'],
  ['an error of a choice', 'data: {"choices":[{"error":{"message":"no"},"delta":{"content":"half"}}]}\n\n'],
  ['an error as the end', eventOf({ content: 'half' }, 'error')],
])('takes %s for a failure', (_name, events) => {
  const stream = newStream();
  stream.pass(encode(events));
  expect(stream.failure).toBeInstanceOf(ToldFailure);
});

it.each(['data: [DONE]\n\n', `${eventOf({ content: 'half' })}data: [DONE]\n\n`, ''])(
  '%j is not whole',
  (events) => {
    const stream = newStream();
    stream.pass(encode(events));
    expect(() => stream.end()).toThrow(BadAnswer);
  },
);

const failureOf = (stream: ChatStream, event: string, most: number): [unknown, number] => {
  let events = 0;
  for (; events < most && stream.failure === undefined; events++) stream.pass(encode(event));
  return [stream.failure, events];
};

describe('a stream', () => {
  it.each([
    ['no words', eventOf({ x: 1 })],
    ['no choices', 'data: {"choices":[]}\n\n'],
    ['numbers alone', `data: {"x":[${'1,'.repeat(20_000)}1]}\n\n`],
    ['comments', `: ${'x'.repeat(1000)}\n\n`],
  ])('ends after some thousand events with %s', (_name, event) => {
    const [failure] = failureOf(newStream(), event, 10_000);
    expect(failure).toBeInstanceOf(StreamEnd);
  });

  it('goes on as long as its events have words', () => {
    expect(failureOf(newStream(), eventOf({ content: 'a', logprobs: 'x'.repeat(2000) }), 2000)).toEqual([
      undefined,
      2000,
    ]);
  });

  it.each([
    ['choices', JSON.stringify({ choices: Array.from({ length: 129 }, () => ({})) })],
    ['values', JSON.stringify({ x: Array.from({ length: 60_000 }, () => 1) })],
  ])('refuses an event with too many %s', (_name, data) => {
    expect(failureOf(newStream(), `data: ${data}\n\n`, 1)[0]).toBeInstanceOf(BadAnswer);
  });

  it('holds back so much of all its choices together', () => {
    const stream = newStream(true);
    const choices = Array.from({ length: 20 }, (_, index) => ({
      index,
      delta: { content: 'x'.repeat(10_000) },
    }));
    const [failure] = failureOf(stream, `data: ${JSON.stringify({ choices })}\n\n`, 10);
    expect(failure).toEqual(new BadAnswer('The model thinks too long'));
  });
});

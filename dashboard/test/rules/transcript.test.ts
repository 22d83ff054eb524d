import type { Approval, Message, ModelCall } from '@agent-control-plane/sdk';
import { expect, it } from 'vitest';
import { holderOf, isOver, minutesFor } from '../../src/rules/holder.ts';
import { senderName, speakerOf } from '../../src/rules/speaker.ts';
import { filled } from '../../src/rules/template.ts';
import { resultText, toolCallOf } from '../../src/rules/tool-call.ts';
import { spentOf, traceOf } from '../../src/rules/trace.ts';
import { linesOf, turnOf } from '../../src/rules/transcript.ts';

const MESSAGE: Message = {
  id: '',
  change: 1,
  conversation_id: 'c',
  direction: 'in',
  author: 'sender',
  user_id: null,
  user: null,
  key: null,
  kind: 'text',
  text: 'words',
  media: [],
  buttons: [],
  options: null,
  quoted: null,
  referral: null,
  reaction: null,
  said_by: null,
  status: 'handled',
  error: null,
  at: '',
  usage: null,
  tool_calls: [],
};

const at = (day: number, second: number) => new Date(Date.UTC(2026, 10, day, 12, 0, second)).toISOString();

const said = (id: string, second: number, more: Partial<Message> = {}): Message => ({
  ...MESSAGE,
  id,
  at: at(26, second),
  ...more,
});

const answer = (id: string, second: number) => said(id, second, { direction: 'out', author: 'agent' });

const APPROVAL: Approval = {
  id: 'asked',
  instance_id: 'i',
  hostname: 'desk',
  customer_id: 'c',
  customer_name: null,
  conversation_id: 'c',
  tool: 'crm__book',
  arguments: {},
  status: 'waiting',
  result: null,
  requested_at: at(26, 3),
  expires_at: at(27, 3),
  decided_by: null,
  decided_at: null,
  comment: null,
  rule: null,
  is_shortened: false,
};

it('puts days, changes of hands and calls that wait in the place of their time', () => {
  const messages = [
    said('1', 1),
    answer('2', 5),
    said('told', 6, { kind: 'approval', author: 'system' }),
    { ...said('3', 0, { kind: 'takeover', direction: 'out', author: 'system' }), at: at(27, 0) },
  ];
  const older = { ...APPROVAL, id: 'older', requested_at: at(20, 0) };
  expect(linesOf(messages, [older, APPROVAL]).map(({ is, key }) => `${is} ${key}`)).toEqual([
    `day day ${at(26, 1)}`,
    'message 1',
    'approval asked',
    'message 2',
    `day day ${at(27, 0)}`,
    'turn 3',
  ]);
});

it('finds what an answer answers: all that came since the answer before', () => {
  const messages = [
    said('0', 0),
    answer('a', 1),
    said('1', 10),
    said('2', 12),
    answer('b', 15),
    answer('c', 20),
  ];
  const [, , , , b = MESSAGE, c = MESSAGE] = messages;
  expect(turnOf(messages, b)).toMatchObject({
    from: at(26, 10),
    to: at(26, 15),
    asked: [{ id: '1' }, { id: '2' }],
  });
  expect(turnOf(messages, c)).toEqual({ from: at(26, 15), to: at(26, 20), asked: [] });
});

const CALL: ModelCall = {
  id: 'm',
  at: at(26, 11),
  asked_model: 'small-1',
  model: 'small-1',
  provider: 'default',
  status: 'ok',
  input_tokens: 100,
  cached_input_tokens: 40,
  output_tokens: 10,
  audio_seconds: 0,
  estimated: false,
  cost: '0.002',
  latency_ms: 1500,
};

it('lays calls of models and tools out in time, and sums what they cost', () => {
  const turn = { from: at(26, 10), to: at(26, 15), asked: [] };
  const tool = { name: 'find', arguments: '{"a":1}', at: at(26, 13), latency_ms: 500, result: 'x' };
  const { ms, waited, steps } = traceOf(turn, [CALL], [tool, 'without a time']);
  expect([ms, waited]).toEqual([5000, 1000]);
  expect(steps.map(({ is, begins, ends }) => [is, begins, ends])).toEqual([
    ['model', 1000, 2500],
    ['tool', 3000, 3500],
  ]);
  const unpriced = { ...CALL, cost: null };
  expect(spentOf([CALL, CALL, unpriced])).toMatchObject({ input_tokens: 300, cost: 0.004, unpriced: 1 });
  expect(spentOf([unpriced]).cost).toBeNull();
});

it('reads calls of tools in each shape that runtimes choose', () => {
  expect(toolCallOf('help')).toEqual({ name: 'help' });
  expect(toolCallOf({ name: 'find', arguments: '{"a":1}' })).toEqual({ name: 'find', arguments: { a: 1 } });
  expect(toolCallOf({ function: { name: 'find', arguments: 'not JSON' } })).toEqual({
    name: 'find',
    arguments: 'not JSON',
  });
  expect(toolCallOf(7)).toEqual({ name: 'a tool' });
  expect(resultText({ content: [{ type: 'text', text: 'one' }, { type: 'image' }] })).toBe('one\n[image]');
  expect(resultText({ structuredContent: { a: 1 } })).toBe('{\n  "a": 1\n}');
});

it('knows who has a conversation, and until when', () => {
  const human = { mode: 'human', human_until: at(26, 0) } as const;
  const mara = { kind: 'user', id: 'u', name: 'mara@example.com' } as const;
  expect(holderOf({ ...human, mode: 'agent', taken_by: null }, 'u').is).toBe('agent');
  expect(holderOf({ ...human, taken_by: null }, 'u').is).toBe('nobody');
  expect(holderOf({ ...human, taken_by: mara }, 'u')).toEqual({ is: 'you', until: at(26, 0) });
  expect(holderOf({ ...human, taken_by: mara }, 'v')).toMatchObject({
    is: 'colleague',
    name: 'mara@example.com',
  });
  const phone = { kind: 'channel', id: null, name: null } as const;
  expect(holderOf({ ...human, taken_by: phone }, 'u')).toMatchObject({ name: 'A colleague on the phone' });
  const now = Date.parse(at(26, 0)) - 10 * 60_000;
  expect([minutesFor(30, at(26, 0), now), minutesFor(30, null, now)]).toEqual([40, 30]);
  expect([isOver(null, now), isOver(at(26, 0), now), isOver(at(26, 0), now + 600_000)]).toEqual([
    false,
    false,
    true,
  ]);
});

it('names who speaks, and shows what hides in a name', () => {
  const stranger = { display_name: null, external_id: '61400000009' };
  expect(senderName(stranger)).toBe('+61400000009');
  expect(senderName({ ...stranger, display_name: 'A\u202Eda' })).toBe('A[U+202E]da');
  const mine = said('1', 0, { author: 'person', user: { id: 'u', name: 'mara@example.com' } });
  expect([speakerOf(mine, stranger, 'u'), speakerOf(mine, stranger, 'v')]).toEqual([
    'You',
    'mara@example.com',
  ]);
  expect(speakerOf(said('1', 0, { said_by: 'Ben' }), stranger, 'u')).toBe('Ben');
});

it('shows a template as it will be read', () => {
  expect(filled('Dear {{ 1 }}, on {{2}} {{3}}', ['Ana', ''])).toBe('Dear Ana, on {{2}} {{3}}');
});

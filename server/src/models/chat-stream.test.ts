import { expect, it } from 'vitest';
import { assemble, ChatStream } from './chat-stream.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const passAll = (stream: ChatStream, text: string, size: number): string => {
  let out = '';
  for (let at = 0; at < text.length; at += size) out += stream.pass(encode(text.slice(at, at + size)));
  return out + stream.end();
};

it.each([1, 2, 3, 7, 1000])('passes the same events on in pieces of %i', (size) => {
  const text = 'data: {"a":1}\r\n\r\ndata: {"b":2}\n\ndata: [DONE]\n\nrest';
  const stream = new ChatStream(1, true);
  expect(passAll(stream, text, size)).toBe('data: {"a":1}\n\ndata: {"b":2}\n\ndata: [DONE]\n\nrest\n\n');
  expect(stream.isDone).toBe(true);
});

it('takes small pieces of a long event in linear time', () => {
  const stream = new ChatStream(1, true);
  const piece = encode('x'.repeat(16));
  const began = process.cpuUsage().user;
  for (let count = 0; count < 60_000; count++) stream.pass(piece);
  // A search through all that came before took 30 s.
  expect((process.cpuUsage().user - began) / 1e6).toBeLessThan(3);
});

const call = (index: unknown) => ({ index, id: 'c', function: { name: 'f', arguments: '{}' } });
const event = (index: unknown) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [call(index)] } }] })}\n\n`;

it('ignores a tool call with a place out of reach', () => {
  const { choices } = assemble([4_000_000_000, 1e300, -1, 'x', 0].map(event).join(''));
  expect(choices).toMatchObject([{ message: { tool_calls: [{ id: 'c' }] } }]);
});

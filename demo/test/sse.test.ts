import { describe, expect, it } from 'vitest';
import { readEvents, type SseEvent } from '../src/sse.ts';

async function read(...chunks: (string | Uint8Array)[]): Promise<SseEvent[]> {
  async function* bytes() {
    for (const chunk of chunks) yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
  }
  const events: SseEvent[] = [];
  for await (const event of readEvents(bytes())) events.push(event);
  return events;
}

const STREAM = 'id: 7\nevent: grant\ndata: {"name":"Zoë 🦊"}\n\nid: 8\r\ndata: a\r\ndata: b\r\n\r\n';
const EVENTS = [
  { id: '7', event: 'grant', data: '{"name":"Zoë 🦊"}' },
  { id: '8', event: 'message', data: 'a\nb' },
];

async function* endless() {
  yield new TextEncoder().encode('data: now\r\n\r');
  await new Promise(() => {});
}

describe('an event stream', () => {
  it('is read as events, the lines of their data joined', async () => {
    expect(await read(STREAM)).toEqual(EVENTS);
  });

  it('is read the same wherever its bytes are cut', async () => {
    const bytes = new TextEncoder().encode(STREAM);
    for (let cut = 1; cut < bytes.length; cut++) {
      expect(await read(bytes.slice(0, cut), bytes.slice(cut)), `cut at ${cut}`).toEqual(EVENTS);
    }
    expect(await read(...[...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(EVENTS);
  });

  it('may end lines with CR alone', async () => {
    expect(await read('data: a\r', 'data: b\r\r', '\rdata: c\r\r')).toEqual([
      { id: '', event: 'message', data: 'a\nb' },
      { id: '', event: 'message', data: 'c' },
    ]);
  });

  it('hands an event over with its last line, without waiting for more', async () => {
    const { value } = await readEvents(endless()).next();
    expect(value).toEqual({ id: '', event: 'message', data: 'now' });
  });

  it('is read without comments, unknown fields and events that say nothing', async () => {
    const events = await read(
      ': still here\n\nevent: silent\n\nretry: 10\nnonsense\ndata:tight\ndata\ndata:  two\n\n',
    );
    expect(events).toEqual([{ id: '', event: 'message', data: 'tight\n\n two' }]);
  });

  it('keeps the last id for later events, and drops one that it ends within', async () => {
    expect(await read('id: 1\ndata: a\n\ndata: b\n\ndata: lost\n')).toEqual([
      { id: '1', event: 'message', data: 'a' },
      { id: '1', event: 'message', data: 'b' },
    ]);
  });
});

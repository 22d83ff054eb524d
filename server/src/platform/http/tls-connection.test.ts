import { EventEmitter, once } from 'node:events';
import { text as readAll } from 'node:stream/consumers';
import { MessageChannel } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { TlsConnection } from './tls-connection.ts';

/** With the messages that the thread receives. */
function open() {
  const { port1: thread, port2: connection } = new MessageChannel();
  const events = new EventEmitter();
  const messages: unknown[] = [];
  thread.on('message', (message: unknown) => {
    messages.push(message);
    events.emit('message');
  });
  const opened = { connection, remoteAddress: '192.0.2.1', certificate: undefined };
  return { thread, messages, next: () => once(events, 'message'), stream: new TlsConnection(opened) };
}
const bytesOf = (text: string) => new TextEncoder().encode(text);

it('sends a chunk after the acknowledgement of the previous one, and joins chunks that waited', async () => {
  const { thread, messages, next, stream } = open();
  for (const text of ['a', 'b', 'c']) stream.write(text);
  await next();
  expect(messages).toEqual([bytesOf('a')]);
  thread.postMessage(true);
  await next();
  expect(messages).toEqual([bytesOf('a'), bytesOf('bc')]);
  stream.destroy();
});

it('acknowledges a chunk once it was read, and can be read to its end after the thread has gone', async () => {
  const { thread, messages, next, stream } = open();
  thread.postMessage(new Uint8Array(stream.readableHighWaterMark).fill(97));
  await once(stream, 'readable');
  expect(messages).toEqual([]);
  thread.postMessage(null);
  const taken = next();
  const read = readAll(stream);
  await taken;
  thread.close();
  expect(await read).toBe('a'.repeat(stream.readableHighWaterMark));
  expect(messages[0]).toBe(true);
  if (!stream.closed) await once(stream, 'close');
});

it('is destroyed when the thread goes without an end', async () => {
  const { thread, stream } = open();
  thread.postMessage(bytesOf('half a requ'));
  await once(stream, 'readable');
  thread.close();
  await once(stream, 'close');
  expect(stream.destroyed).toBe(true);
});

it('emits an idle timeout', async () => {
  const { stream } = open();
  stream.setTimeout(20);
  await once(stream, 'timeout');
  stream.destroy();
});

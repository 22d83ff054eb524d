import { EventEmitter, once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { type EventSource, type StreamEvent, streamEvents } from './event-stream.ts';

const CALLER = { isStillAdmitted: () => Promise.resolve(true), onRefused: () => Promise.resolve(() => {}) };
const neverStops = () => () => {};
const EMPTY: EventSource = { read: async () => [], subscribe: () => () => {} };

/** @returns the address */
async function serve(handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) {
  const app = fastify();
  onTestFinished(() => app.close());
  app.get('/', handler);
  return app.listen({ host: '127.0.0.1', port: 0 });
}

it('ends when the client disconnected before the stream began', async () => {
  const stream = new EventEmitter();
  const ended = once(stream, 'ended');
  const address = await serve(async (request, reply) => {
    asked.destroy();
    await once(reply.raw, 'close');
    await streamEvents({ request, reply, ...CALLER }, EMPTY, neverStops);
    stream.emit('ended');
    return reply;
  });
  const asked = get(address).on('error', () => {});
  await ended;
});

it('stops reading a long log while the client reads nothing', async () => {
  const LENGTH = 500;
  const data = 'x'.repeat(50_000);
  const log = Array.from(
    { length: LENGTH },
    (_, index): StreamEvent => ({ id: index + 1, event: 'e', data }),
  );
  const neededDrain: boolean[] = [];
  const address = await serve((request, reply) => {
    const read: EventSource['read'] = async (after, limit) => {
      neededDrain.push(reply.raw.writableNeedDrain);
      return log.slice(after, after + limit);
    };
    return streamEvents({ request, reply, ...CALLER }, { ...EMPTY, read }, neverStops);
  });
  const [response] = (await once(get(address), 'response')) as [IncomingMessage];
  let received = 0;
  let rest = '';
  for await (const chunk of response.setEncoding('utf8')) {
    const [last = '', ...events] = `${rest}${String(chunk)}`.split('\n\n').toReversed();
    received += events.length;
    if (received >= LENGTH) break;
    rest = last;
  }
  expect(neededDrain.length).toBeGreaterThanOrEqual(5);
  expect(neededDrain).not.toContain(true);
});

import type { ServerResponse } from 'node:http';
import { Loopback, type Received, type Step } from './loopback.ts';

/** Forwards requests, but handles each event stream with the next step. */
export async function startRelay(target: string, ...streams: Step[]): Promise<Loopback> {
  let opened = 0;
  return Loopback.start((response, request) => {
    const wantsStream = request.headers.accept === 'text/event-stream';
    const step = wantsStream ? streams[Math.min(opened++, streams.length - 1)] : undefined;
    return (step ?? passOn(target))(response, request);
  });
}

/** Forwards this many chunks, then closes the connection. */
export const passOn =
  (target: string, chunks = Infinity): Step =>
  async (response, request) => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    try {
      await pass(await fetch(target + request.url, forwarded(request, gone.signal)), response, chunks);
    } catch {
      response.destroy();
    }
  };

async function pass({ status, headers, body }: Response, response: ServerResponse, chunks: number) {
  response.writeHead(status, { 'content-type': headers.get('content-type') ?? '' });
  response.flushHeaders();
  let left = chunks;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    if (left-- > 0) await new Promise((resolve) => response.write(chunk, resolve));
    if (left <= 0) throw new Error('That is all');
  }
  response.end();
}

function forwarded({ method, headers, body }: Received, signal: AbortSignal): RequestInit {
  const kept = ['accept', 'content-type', 'x-api-key', 'last-event-id'];
  const sent = Object.fromEntries(
    kept.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])),
  );
  return { method, headers: sent, signal, ...(body !== '' && { body }) };
}

import type { ClientRequest, IncomingMessage } from 'node:http';

/** Sends the request. Resolves with the head of its answer, which has to come within the time. */
export function headOf(
  request: ClientRequest,
  content: string | undefined,
  timeoutMs: number,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const isLate = () => request.destroy(new Error(`No answer within ${timeoutMs / 1000} s`));
    const timer = setTimeout(isLate, timeoutMs);
    request.on('close', () => clearTimeout(timer));
    request.on('error', reject);
    request.on('response', (response) => {
      clearTimeout(timer);
      // Without it an abort after the head would end the process.
      response.on('error', () => {});
      resolve(response);
    });
    request.end(content);
  });
}

/** @param whose for the error, with which a larger answer ends: `daemon` */
export async function readBytes(response: IncomingMessage, maxBytes: number, whose: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`The answer of the ${whose} is too large`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** True for the reason of AbortSignal.timeout. */
export const isTimeout = (reason: unknown) =>
  reason instanceof DOMException && reason.name === 'TimeoutError';

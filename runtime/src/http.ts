import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A message has its text of up to 1 MiB twice, and a shared instance has the secrets of many customers. */
const maxBodyBytes = 16 * 1024 * 1024;

/** Sent as `{"detail": …}`. */
export class HttpError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, detail: string, headers: Record<string, string> = {}) {
    super(detail);
    this.name = 'HttpError';
    this.status = status;
    this.headers = headers;
  }
}

/** Throws HttpError: 413 over 16 MiB, 422 for anything but JSON in UTF-8. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBytes(request);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new HttpError(422, 'The body is not valid JSON');
  }
}

function readBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      // Read and drop the rest, so that the sender receives the response.
      if (size <= maxBodyBytes) chunks.push(chunk);
      else reject(new HttpError(413, 'The body is larger than 16 MiB'));
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', () => reject(new HttpError(400, 'The request was broken off')));
  });
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** In constant time. Throws HttpError 401. */
export function requireBearer(request: IncomingMessage, secret: string): void {
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  if (!timingSafeEqual(digest(given), digest(secret))) {
    throw new HttpError(401, 'Not authenticated', { 'www-authenticate': 'Bearer' });
  }
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const content = body === undefined ? {} : { 'content-type': 'application/json' };
  response.writeHead(status, { ...headers, ...content });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

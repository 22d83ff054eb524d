import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** `fetch` takes several times the CPU time of Node's own client. */
const agent = new Agent({ keepAlive: true });

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

export interface Answer {
  status: number;
  json: unknown;
}

export const jsonCall = (
  method: Call['method'],
  path: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): Call => ({
  method,
  path,
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

export const begin = (
  base_url: string,
  { method, path, headers, body = '' }: Call,
  signal?: AbortSignal,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const length = method === 'GET' ? {} : { 'content-length': Buffer.byteLength(body) };
    const options = { method, headers: { ...headers, ...length }, agent, ...(signal && { signal }) };
    request(base_url + path, options, resolve)
      .on('error', reject)
      .end(body);
  });

export async function send(base_url: string, call: Call): Promise<Answer> {
  const response = await begin(base_url, call);
  const status = response.statusCode ?? 0;
  const body = await text(response);
  try {
    return { status, json: JSON.parse(body) };
  } catch {
    return { status, json: undefined };
  }
}

/** Also false while nobody listens. */
export const isAnswered = (base_url: string, call: Call): Promise<boolean> =>
  send(base_url, call).then(
    ({ status }) => status === 200,
    () => false,
  );

/** Throws for any other status than `expected`. */
export async function sendExpecting<T>(base_url: string, call: Call, expected: number): Promise<T> {
  const { status, json } = await send(base_url, call);
  if (status === expected) return json as T;
  throw new Error(`${call.method} ${call.path} answered ${status}: ${JSON.stringify(json)}`.slice(0, 500));
}

export function toBytes({ method, path, headers = {}, body = '' }: Call, host: string): Buffer {
  const content = Buffer.from(body);
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${host}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (method !== 'GET') lines.push(`content-length: ${content.length}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), content]);
}

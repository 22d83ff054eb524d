/** A request as it goes over the wire. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

export interface Answer {
  status: number;
  /** undefined: it was no JSON. */
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

/** Makes one request and reads the answer. */
export async function send(base_url: string, { method, path, headers, body }: Call): Promise<Answer> {
  const response = await fetch(base_url + path, {
    method,
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  try {
    return { status: response.status, json: JSON.parse(text) };
  } catch {
    return { status: response.status, json: undefined };
  }
}

/** True for a 200; false also while nobody listens. */
export const isAnswered = (base_url: string, call: Call): Promise<boolean> =>
  send(base_url, call).then(
    ({ status }) => status === 200,
    () => false,
  );

/** As `send`; throws when the status is another one than `expected`. */
export async function sendExpecting<T>(base_url: string, call: Call, expected: number): Promise<T> {
  const { status, json } = await send(base_url, call);
  if (status === expected) return json as T;
  throw new Error(`${call.method} ${call.path} answered ${status}: ${JSON.stringify(json)}`.slice(0, 500));
}

/** The bytes of a request on a connection that is kept open. */
export function toBytes({ method, path, headers = {}, body = '' }: Call, host: string): Buffer {
  const content = Buffer.from(body);
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${host}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (method !== 'GET') lines.push(`content-length: ${content.length}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), content]);
}

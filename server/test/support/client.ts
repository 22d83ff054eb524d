export interface Answer<T> {
  status: number;
  headers: Headers;
  body: T;
  text: string;
}

/** No retries, and no errors for statuses. */
export class Client {
  readonly base_url: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(base_url: string, headers: Record<string, string> = {}) {
    this.base_url = base_url;
    this.headers = headers;
  }

  with(headers: Record<string, string>): Client {
    return new Client(this.base_url, { ...this.headers, ...headers });
  }

  async request<T = Record<string, never>>(
    method: string,
    path: string,
    options: { json?: unknown; raw?: string | Uint8Array; headers?: Record<string, string> } = {},
  ): Promise<Answer<T>> {
    const body = options.raw ?? (options.json === undefined ? undefined : JSON.stringify(options.json));
    const response = await fetch(this.base_url + path, {
      method,
      headers: {
        ...this.headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body !== undefined && { body: body as NonNullable<RequestInit['body']> }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (isJson ? JSON.parse(text) : null) as T,
    };
  }

  get<T = Record<string, never>>(path: string, headers: Record<string, string> = {}) {
    return this.request<T>('GET', path, { headers });
  }
  post<T = Record<string, never>>(path: string, json?: unknown) {
    return this.request<T>('POST', path, { json });
  }
  put<T = Record<string, never>>(path: string, json?: unknown) {
    return this.request<T>('PUT', path, { json });
  }
  patch<T = Record<string, never>>(path: string, json?: unknown) {
    return this.request<T>('PATCH', path, { json });
  }
  delete(path: string) {
    return this.request('DELETE', path);
  }
}

import type * as Undici from 'undici';
import {
  Compressed,
  type LlmClient,
  type LlmEndpoint,
  type LlmRequest,
  type LlmResponse,
} from '../../models/llm-client.port.ts';
import { guardedConnections, isAllowedHost, isRefused } from '../outside/guarded-fetch.ts';

type Connections = ReturnType<typeof guardedConnections>;

/**
 * Passes chat completions on without reading them. Uses undici's `request`, because the streams of `fetch` cost several
 * times as much per chunk.
 */
export class HttpLlmClient implements LlmClient {
  readonly #allowedHosts: readonly string[];
  #undici: Promise<typeof Undici> | undefined;
  #agent: Undici.Agent | undefined;
  #outside: Connections | undefined;

  /** @param allowedHosts tenants may use these although they are not public */
  constructor(allowedHosts: readonly string[]) {
    this.#allowedHosts = allowedHosts;
  }

  mayName(base_url: string): boolean {
    return !isRefused(new URL(base_url), this.#allowedHosts);
  }

  isInside(base_url: string): boolean {
    return isAllowedHost(new URL(base_url), this.#allowedHosts);
  }

  async send(endpoint: LlmEndpoint, request: LlmRequest, signal: AbortSignal): Promise<LlmResponse> {
    const { base_url, api_key, is_outside } = endpoint;
    const { method, path, body } = request;
    // Loaded on first use, because not every installation has a model.
    this.#undici ??= import('undici');
    const undici = await this.#undici;
    const url = new URL(`${base_url.trim().replace(/\/+$/, '')}${path}`);
    const response = await undici.request(url, {
      method,
      headers: {
        // Local endpoints need no key.
        ...(api_key !== '' && { authorization: `Bearer ${api_key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        // Some firewalls reject requests without a user agent.
        accept: '*/*',
        'user-agent': 'agent-control-plane',
        // Compression delays a stream's chunks.
        'accept-encoding': 'identity',
      },
      ...(body !== undefined && { body }),
      dispatcher: is_outside ? (await this.#guarded())(url) : this.#inside(undici),
      signal,
    });
    const {
      'content-type': content_type,
      'retry-after': retry_after,
      'content-encoding': encoding,
    } = response.headers;
    // Nothing asked for compression, which may turn a few bytes into very many.
    if (encoding !== undefined && String(encoding).toLowerCase() !== 'identity') {
      response.body.on('error', () => {}).destroy();
      throw new Compressed();
    }
    return {
      status: response.statusCode,
      content_type: String(content_type ?? ''),
      retry_after: retry_after === undefined ? undefined : String(retry_after),
      body: response.body,
    };
  }

  #inside(undici: typeof Undici): Undici.Agent {
    this.#agent ??= new undici.Agent();
    return this.#agent;
  }

  #guarded(): Connections {
    this.#outside ??= guardedConnections({ allowedHosts: this.#allowedHosts });
    return this.#outside;
  }
}

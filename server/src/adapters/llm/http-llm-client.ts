import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type * as Undici from 'undici';
import type { LlmClient, LlmEndpoint, LlmRequest, LlmResponse } from '../../models/llm-client.port.ts';
import { guardedConnections, isRefused } from '../outside/guarded-fetch.ts';

type Connections = ReturnType<typeof guardedConnections>;

const DECODERS = new Map([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** Opens what a server compressed although it was asked not to. */
function decoded(body: Readable, encoding: string): Readable {
  const decoder = DECODERS.get(encoding)?.();
  // Its errors come to the reader.
  return decoder ? pipeline(body, decoder, () => {}) : body;
}

/**
 * Chat completions over HTTP, unread: the gateway passes them on. By undici's own requests, because the streams of `fetch` cost
 * several times as much for each piece.
 */
export class HttpLlmClient implements LlmClient {
  readonly #allowedHosts: readonly string[];
  #undici: Promise<typeof Undici> | undefined;
  #agent: Undici.Agent | undefined;
  #outside: Connections | undefined;

  /** @param allowedHosts hosts that a tenant may name although they are not public */
  constructor(allowedHosts: readonly string[]) {
    this.#allowedHosts = allowedHosts;
  }

  mayName(base_url: string): boolean {
    return !isRefused(new URL(base_url), this.#allowedHosts);
  }

  async send(endpoint: LlmEndpoint, request: LlmRequest, signal: AbortSignal): Promise<LlmResponse> {
    const { base_url, api_key, is_outside } = endpoint;
    const { method, path, body } = request;
    // Loaded with the first use, because not every installation has a model.
    this.#undici ??= import('undici');
    const undici = await this.#undici;
    const url = new URL(`${base_url.trim().replace(/\/+$/, '')}${path}`);
    const response = await undici.request(url, {
      method,
      headers: {
        // Local endpoints need no key.
        ...(api_key !== '' && { authorization: `Bearer ${api_key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        // Some firewalls refuse who does not say what it is.
        accept: '*/*',
        'user-agent': 'agent-control-plane',
        // A compressed stream comes late.
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
    return {
      status: response.statusCode,
      content_type: String(content_type ?? ''),
      retry_after: retry_after === undefined ? undefined : String(retry_after),
      body: decoded(response.body, String(encoding)),
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

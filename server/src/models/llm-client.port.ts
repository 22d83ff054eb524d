/** An OpenAI-compatible endpoint. */
export interface LlmEndpoint {
  base_url: string;
  api_key: string;
  /** A tenant chose the address: only public https is allowed. */
  is_outside: boolean;
}

export interface LlmRequest {
  method: 'GET' | 'POST';
  /** Below the base URL, as /chat/completions. */
  path: string;
  body?: string;
}

/** The body has an encoding that nobody asked for. */
export class Compressed extends Error {
  constructor() {
    super('The model’s answer is compressed, although the request asks it not to be');
  }
}

/** Any status, also failures. */
export interface LlmResponse {
  status: number;
  content_type: string;
  retry_after: string | undefined;
  body: AsyncIterable<Uint8Array>;
}

export interface LlmClient {
  /** False for an address that is not https or is private. Host names are checked when they are called. */
  mayName(base_url: string): boolean;
  /** True for a host that tenants may name although it may be private: what it says is not told to them. */
  isInside(base_url: string): boolean;
  /** Rejects without a response. Follows no redirects. The signal also aborts the body. */
  send(endpoint: LlmEndpoint, request: LlmRequest, signal: AbortSignal): Promise<LlmResponse>;
}

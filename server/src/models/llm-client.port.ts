/** An OpenAI-compatible endpoint. */
export interface LlmEndpoint {
  base_url: string;
  api_key: string;
  /** A tenant chose the address: public https alone. */
  is_outside: boolean;
}

export interface LlmRequest {
  method: 'GET' | 'POST';
  /** Below the base URL, as /chat/completions. */
  path: string;
  /** JSON. */
  body?: string;
}

/** The response of an endpoint, of whatever status. */
export interface LlmResponse {
  status: number;
  content_type: string;
  retry_after: string | undefined;
  body: AsyncIterable<Uint8Array>;
}

/** Calls endpoints of language models. */
export interface LlmClient {
  /** False for an address that a tenant may not name: no https, or a private one. Names are looked at when they are called. */
  mayName(base_url: string): boolean;
  /** Rejects where there is no response; follows no redirect. The signal ends the body, too. */
  send(endpoint: LlmEndpoint, request: LlmRequest, signal: AbortSignal): Promise<LlmResponse>;
}

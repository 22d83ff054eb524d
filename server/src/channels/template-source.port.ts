export interface TemplateRequest {
  /** The API's address, such as https://host/v23.0 */
  base_url: string;
  phone_number_id: string;
  /** The accounts that the number's webhooks named, the latest first; empty before the first one. */
  account_ids: readonly string[];
  access_token: string;
  /** Aborts when the client leaves. */
  signal?: AbortSignal | undefined;
}

export interface ChannelTemplate {
  name: string;
  language: string;
  /** The channel's word, such as APPROVED. */
  status: string;
  /** The body with its places, such as {{1}}; null for a template without one. */
  text: string | null;
  /** How many places the body has. */
  parameters: number;
}

/** The message templates of a number's account. Rejects with bad_gateway when the channel is down, hangs or refuses. */
export interface TemplateSource {
  list(request: TemplateRequest): Promise<ChannelTemplate[]>;
}

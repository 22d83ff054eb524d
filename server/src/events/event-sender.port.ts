export interface EventRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** The answer's body is not read. `error`: there was none. */
export type EventAnswer =
  | { status: number; retry_after_ms: number | undefined }
  | { error: 'not_public' | 'unreachable' };

/** Calls addresses that tenants choose. */
export interface EventSender {
  /** False for an address that is not public. Names are judged by the addresses that they have when they are called. */
  mayName(url: string): boolean;
  /** POSTs it once, and follows no redirect. Rejects when aborted. */
  send(request: EventRequest, signal: AbortSignal): Promise<EventAnswer>;
}

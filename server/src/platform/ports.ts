export type Clock = () => Date;

export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Counts by key in windows of a fixed length; what rate limits stand on. */
export interface Counter {
  /** One more in the key's window, which begins with the first. */
  count(key: string, window_seconds: number): Promise<{ count: number; ends_in_ms: number }>;
  /** One less. */
  takeBack(key: string, window_seconds: number): Promise<void>;
  /** The key begins anew. */
  forget(key: string): Promise<void>;
  /** The state of the counts' store, and how often it failed. */
  readonly state: { isUp: boolean; failures: number };
  close(): void;
}

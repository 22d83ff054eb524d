export type Clock = () => Date;

export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Counts by key in windows of fixed length. */
export interface Counter {
  /** The window begins with the first count. */
  count(key: string, window_seconds: number, amount?: number): Promise<{ count: number; ends_in_ms: number }>;
  takeBack(key: string, window_seconds: number): Promise<void>;
  forget(key: string): Promise<void>;
  /** The store's state. */
  readonly state: { isUp: boolean; failures: number };
  close(): void;
}

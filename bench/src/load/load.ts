import type { Call } from '../call.ts';

export interface Load {
  requests: number;
  requests_per_s: number;
  p50_ms: number;
  p99_ms: number;
}

export interface LoadOrder {
  base_url: string;
  calls: readonly Call[];
  /** True: each call is sent at most once. False: repeats them. */
  once: boolean;
  connections: number;
  seconds: number;
  directory: string;
}

/** Rejects unless all answers are 2xx. */
export type GenerateLoad = (order: LoadOrder) => Promise<Load>;

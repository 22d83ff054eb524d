import type { Call } from '../call.ts';

/** A load generator's observations in one window. */
export interface Load {
  /** That were answered. */
  requests: number;
  requests_per_s: number;
  p50_ms: number;
  p99_ms: number;
}

export interface LoadOrder {
  base_url: string;
  calls: readonly Call[];
  /** false: from the first again after the last. true: each is sent once, and there have to be enough of them. */
  once: boolean;
  connections: number;
  seconds: number;
  /** Scratch space. */
  directory: string;
}

/** Rejects when a single answer was not 2xx. */
export type GenerateLoad = (order: LoadOrder) => Promise<Load>;

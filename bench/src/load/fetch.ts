import { type Call, send } from '../call.ts';
import type { Load, LoadOrder } from './load.ts';

/**
 * Sends each call once. Node must not be the bottleneck, so this is for slow calls. Rejects unless all answers are
 * 2xx.
 */
export async function sendAll(
  base_url: string,
  calls: Iterable<Call>,
  connections: number,
): Promise<{ count: number; seconds: number }> {
  const iterator = calls[Symbol.iterator]();
  const began = performance.now();
  let count = 0;
  const client = async () => {
    for (let next = iterator.next(); !next.done; next = iterator.next()) {
      const { status, json } = await send(base_url, next.value);
      if (status < 200 || status > 299) {
        throw new Error(
          `${next.value.method} ${next.value.path} answered ${status}: ${JSON.stringify(json)}`,
        );
      }
      count++;
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  return { count, seconds: (performance.now() - began) / 1000 };
}

const SMOKE_CALLS = 50;

/** For smoke runs: a few calls, without percentiles. */
export async function fewCalls({ base_url, calls, connections }: LoadOrder): Promise<Load> {
  const { count, seconds } = await sendAll(base_url, calls.slice(0, SMOKE_CALLS), connections);
  return { requests: count, requests_per_s: count / seconds, p50_ms: Number.NaN, p99_ms: Number.NaN };
}

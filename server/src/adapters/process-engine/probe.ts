import { signalAfter } from '../../platform/signal-after.ts';
import { runtimeUrl } from '../runtime-pools.ts';
import { fetchRuntime } from './connections.ts';

const MAX_BODY_BYTES = 16 * 1024;

/** To GET /health. */
export interface Answer {
  readonly isOk: boolean;
  readonly instance_id: string | undefined;
}

/** Calls GET /health. @returns undefined when the runtime itself does not answer HTTP in time */
export async function probe(address: string, timeoutMs: number): Promise<Answer | undefined> {
  try {
    const response = await fetchRuntime(runtimeUrl(address, '/health'), {
      signal: signalAfter(timeoutMs),
    });
    return { isOk: response.ok, instance_id: readInstanceId(await readStart(response)) };
  } catch {
    return undefined;
  }
}

/** False when the answer has no instance_id or another one. */
export function isFrom(answer: Answer, instance_id: string): boolean {
  return answer.instance_id?.toLowerCase() === instance_id.toLowerCase();
}

async function readStart(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  // Leaving the loop cancels the transfer.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_BODY_BYTES) break;
  }
  return text;
}

function readInstanceId(body: string): string | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const id = typeof value === 'object' && value !== null && 'instance_id' in value && value.instance_id;
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}

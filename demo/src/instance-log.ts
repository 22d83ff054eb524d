import type { InstanceEvent } from '@agent-control-plane/sdk';
import type { Api } from './api.ts';
import type { Screen } from './console.ts';
import { DemoError, reasonOf } from './errors.ts';
import { readEvents } from './sse.ts';

const PATIENCE_MS = 120_000;
const DEAD_ENDS = ['failed', 'terminated'];

/**
 * Follows an instance's log live, shows each line, and resolves once the instance has got to the status, with the id of
 * that line. Throws when it cannot get there any more, and when it takes longer than two minutes.
 *
 * @param after the id of the last line already seen, 0 for none
 */
export async function followInstance(
  { api, screen }: { api: Api; screen: Screen },
  instance_id: string,
  wanted: string,
  after = 0,
): Promise<number> {
  const response = await api.send('GET', `/v1/instances/${instance_id}/events`, {
    headers: { accept: 'text/event-stream', 'last-event-id': String(after) },
    timeoutMs: PATIENCE_MS,
  });
  let last = performance.now();
  for await (const { data } of readEvents(wholeOf(response))) {
    const event = JSON.parse(data) as InstanceEvent;
    screen.detail(wordsOf(event), performance.now() - last);
    last = performance.now();
    if (event.to === wanted && event.from !== wanted) return event.id;
    if (DEAD_ENDS.includes(event.to))
      throw new DemoError(`The instance is ${event.to}: ${event.message ?? 'no reason given'}`);
  }
  throw new DemoError(`The event stream of the instance ended before it was ${wanted}: did the server stop?`);
}

/** The bytes of an answer; a connection that breaks off, or lasts too long, is told in one line. */
async function* wholeOf({ body }: Response): AsyncGenerator<Uint8Array> {
  try {
    if (body) yield* body;
  } catch (error) {
    if (error instanceof DemoError) throw error;
    throw new DemoError(`The event stream broke off (${reasonOf(error)})`);
  }
}

function wordsOf({ from, to, step, message }: InstanceEvent): string {
  if (step !== null) return `${step.padEnd(18)} ${message ?? ''}`;
  return `${from === null ? to : `${from} → ${to}`}${message === null ? '' : `   ${message}`}`;
}

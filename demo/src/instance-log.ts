import type { ControlPlane, InstanceEvent } from '@agent-control-plane/sdk';
import type { Screen } from './console.ts';
import { DemoError } from './errors.ts';

const END_TIMEOUT_MS = 120_000;

export function createLogView(screen: Screen): (event: InstanceEvent) => void {
  let last = performance.now();
  return (event) => {
    screen.detail(eventText(event), performance.now() - last);
    last = performance.now();
  };
}

/**
 * Shows events until the instance is terminated. Throws when it fails, or after two minutes.
 *
 * @param after the id of the last event already seen
 */
export async function followToTheEnd(
  { acp, screen, signal }: { acp: ControlPlane; screen: Screen; signal: AbortSignal },
  instance_id: string,
  after: number,
): Promise<void> {
  const show = createLogView(screen);
  const timeout = AbortSignal.timeout(END_TIMEOUT_MS);
  const either = AbortSignal.any([signal, timeout]);
  try {
    for await (const event of acp.instances.events(instance_id, { after, signal: either })) {
      show(event);
      if (event.to === 'failed')
        throw new DemoError(`The instance failed: ${event.message ?? 'no reason given'}`);
    }
  } catch (error) {
    if (error !== timeout.reason) throw error;
    throw new DemoError(
      `The instance was not terminated within ${END_TIMEOUT_MS / 1000} s: did the server stop?`,
    );
  }
}

function eventText({ from, to, step, message }: InstanceEvent): string {
  if (step !== null) return `${step.padEnd(18)} ${message ?? ''}`;
  return `${from === null ? to : `${from} → ${to}`}${message === null ? '' : `   ${message}`}`;
}

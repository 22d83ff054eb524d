import type { InstanceEvent } from '@agent-control-plane/sdk';
import type { Cli } from './cli.ts';

/** Describes an event: a step, or a change of state. */
export function wordsOf({ from, to, step, message }: InstanceEvent): string {
  if (step !== null) return `${step.padEnd(18)} ${message ?? ''}`;
  return `${from === null || from === to ? to : `${from} → ${to}`}${message === null ? '' : `   ${message}`}`;
}

/** Shows events as they arrive, each with the time since the previous one. */
export function progressOf({ output }: Cli): (event: InstanceEvent) => void {
  let last: number | undefined;
  return (event) => {
    const at = Date.parse(event.at);
    output.progress(wordsOf(event), last === undefined ? undefined : at - last);
    last = at;
  };
}

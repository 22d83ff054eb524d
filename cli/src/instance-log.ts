import type { InstanceEvent } from '@agent-control-plane/sdk';
import type { Cli } from './cli.ts';

/** A line of an instance's log: a step, or a move from one state to another. */
export function wordsOf({ from, to, step, message }: InstanceEvent): string {
  if (step !== null) return `${step.padEnd(18)} ${message ?? ''}`;
  return `${from === null || from === to ? to : `${from} → ${to}`}${message === null ? '' : `   ${message}`}`;
}

/** Shows lines as they come, each with how long it took after the one before. */
export function progressOf({ output }: Cli): (event: InstanceEvent) => void {
  let last: number | undefined;
  return (event) => {
    const at = Date.parse(event.at);
    output.progress(wordsOf(event), last === undefined ? undefined : at - last);
    last = at;
  };
}

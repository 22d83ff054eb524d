import type { InstanceEvent } from '@agent-control-plane/sdk';
import type { Cli } from './cli.ts';

export function eventText({ from, to, step, message }: InstanceEvent): string {
  if (step !== null) return `${step.padEnd(18)} ${message ?? ''}`;
  return `${from === null || from === to ? to : `${from} → ${to}`}${message === null ? '' : `   ${message}`}`;
}

export function progressOf({ output }: Cli): (event: InstanceEvent) => void {
  let last: number | undefined;
  return (event) => {
    const at = Date.parse(event.at);
    output.progress(eventText(event), last === undefined ? undefined : at - last);
    last = at;
  };
}

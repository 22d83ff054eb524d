import { parseArgs } from 'node:util';

export interface Options {
  /** Checks correctness alone: little data, short windows. */
  smoke: boolean;
  /** Writes a CPU profile of the service. */
  profile: boolean;
  workloads: string[];
  contestants: string[];
  connections: number[];
  repeats: number;
  seconds: number;
  tenants: number;
  deploys: number;
  staff: number;
  renewals: number;
  instances: number;
  events: number;
  /** Seconds. */
  away: number;
}

const list = (text: string | undefined) => (text ? text.split(',') : []);

/** Throws a TypeError with one line. */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      smoke: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      workloads: { type: 'string' },
      contestants: { type: 'string' },
      connections: { type: 'string' },
      repeats: { type: 'string' },
      seconds: { type: 'string' },
      tenants: { type: 'string' },
      deploys: { type: 'string' },
      staff: { type: 'string' },
      renewals: { type: 'string' },
      instances: { type: 'string' },
      events: { type: 'string' },
      away: { type: 'string' },
    },
  });
  const { smoke, profile } = values;
  const number = (
    name:
      | 'repeats'
      | 'seconds'
      | 'tenants'
      | 'deploys'
      | 'staff'
      | 'renewals'
      | 'instances'
      | 'events'
      | 'away',
    otherwise: number,
    atSmoke: number,
  ) => positive(name, values[name] ?? String(smoke ? atSmoke : otherwise));
  return {
    smoke,
    profile,
    workloads: list(values.workloads),
    contestants: list(values.contestants),
    connections: list(values.connections ?? (smoke ? '2' : '1,10,64')).map((text) =>
      positive('connections', text),
    ),
    repeats: number('repeats', 3, 1),
    seconds: number('seconds', 5, 1),
    tenants: number('tenants', 200, 3),
    deploys: number('deploys', 10_000, 10),
    staff: number('staff', 50_000, 1000),
    renewals: number('renewals', 500, 5),
    instances: number('instances', 100, 2),
    events: number('events', 3000, 60),
    away: number('away', 60, 1),
  };
}

/** Throws a TypeError with one line for an unknown name, which would select nothing. */
export function requireKnown(
  option: 'workloads' | 'contestants',
  given: readonly string[],
  things: readonly { name: string }[],
): void {
  const known = things.map(({ name }) => name);
  const unknown = given.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new TypeError(`--${option} does not know ${unknown.join(', ')}; there are ${known.join(', ')}`);
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new TypeError(`--${name} has to be a whole number from 1 on`);
  return value;
}

import type { Caller } from './caller.ts';
import type { Connection } from './connection.ts';
import { Instances } from './generated/resources.ts';
import type { InstanceDetail, InstanceEvent, LogLine } from './generated/shapes.ts';
import { type EventsOptions, followInstance } from './instance-events.ts';
import { followLogs, type LogsOptions } from './instance-logs.ts';
import { type WaitOptions, waitUntilRunning } from './waiting.ts';

/** The operations on instances, and methods that follow one live. */
export class LiveInstances extends Instances {
  readonly #connection: Connection;

  constructor(caller: Caller, connection: Connection) {
    super(caller);
    this.#connection = connection;
  }

  /** Follows an instance's log live, from the beginning or from `after`; see followInstance. */
  events(instance_id: string, options: EventsOptions = {}): AsyncGenerator<InstanceEvent, void> {
    const { signal, after = 0 } = options;
    return followInstance({ caller: this.caller, connection: this.#connection, instance_id, signal }, after);
  }

  /** Follows what an instance's runtime says, from its last lines on; see followLogs. */
  logs(instance_id: string, options: LogsOptions = {}): AsyncGenerator<LogLine, void> {
    return followLogs(this.#connection, instance_id, options);
  }

  /** Resolves with the instance once it runs. Throws as waitUntilRunning does. */
  waitUntilRunning(instance_id: string, options: WaitOptions = {}): Promise<InstanceDetail> {
    const events = (signal: AbortSignal) => this.events(instance_id, { signal });
    return waitUntilRunning(this.caller, events, instance_id, options);
  }
}

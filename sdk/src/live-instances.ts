import type { Caller } from './caller.ts';
import type { Connection } from './connection.ts';
import { Instances } from './generated/resources.ts';
import type { InstanceDetail, InstanceEvent, LogLine } from './generated/shapes.ts';
import { type EventsOptions, followInstance } from './instance-events.ts';
import { followLogs, type LogsOptions } from './instance-logs.ts';
import { type WaitOptions, waitUntilRunning } from './waiting.ts';

export class LiveInstances extends Instances {
  readonly #connection: Connection;

  constructor(caller: Caller, connection: Connection) {
    super(caller);
    this.#connection = connection;
  }

  /** See followInstance. */
  events(instance_id: string, options: EventsOptions = {}): AsyncGenerator<InstanceEvent, void> {
    const { signal, after = 0 } = options;
    return followInstance({ caller: this.caller, connection: this.#connection, instance_id, signal }, after);
  }

  /** See followLogs. */
  logs(instance_id: string, options: LogsOptions = {}): AsyncGenerator<LogLine, void> {
    return followLogs(this.#connection, instance_id, options);
  }

  /** Throws as waitUntilRunning does. */
  waitUntilRunning(instance_id: string, options: WaitOptions = {}): Promise<InstanceDetail> {
    const events = (signal: AbortSignal) => this.events(instance_id, { signal });
    return waitUntilRunning(this.caller, events, instance_id, options);
  }
}

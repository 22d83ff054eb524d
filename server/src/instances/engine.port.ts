/** Everything that an engine needs to start the runtime of an instance. */
export interface RuntimeSpec {
  instance_id: string;
  /** Environment variables. They hold secrets: never log or store them. */
  environment: Readonly<Record<string, string>>;
}

/** Runs runtimes: as processes of this machine, as containers, in a cluster. Every call may be repeated. */
export interface Engine {
  /** Starts the runtime unless it runs already. Returns its base address, e.g. http://127.0.0.1:40123 */
  start(spec: RuntimeSpec): Promise<string>;
  /** Ends the runtime, if there is one. Resolves when it is gone. */
  stop(instance_id: string): Promise<void>;
  /** The address of an instance's runtime; undefined when none runs. */
  find(instance_id: string): Promise<string | undefined>;
  /** The ids of all instances whose runtimes run, are being started or are being ended. */
  list(): Promise<string[]>;
  /** Ends every runtime that this engine started. Called when the service stops. */
  close(): Promise<void>;
}

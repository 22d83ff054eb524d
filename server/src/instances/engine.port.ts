/** What the runtime of one instance needs to run. */
export interface RuntimeSpec {
  instance_id: string;
  /** Environment variables, secrets included: never logged, never kept. */
  environment: Readonly<Record<string, string>>;
}

/** Where runtimes run: processes of this machine, containers, a cluster. Every call may be repeated. */
export interface Engine {
  /** Starts the runtime unless it runs already. @returns its base address, e.g. http://127.0.0.1:40123 */
  start(spec: RuntimeSpec): Promise<string>;
  /** Ends the runtime; nothing happens when there is none. Resolves when it is gone. */
  stop(instance_id: string): Promise<void>;
  /** The address of a runtime that runs now. */
  find(instance_id: string): Promise<string | undefined>;
  /** The instances whose runtimes run now, or are being started or ended. */
  list(): Promise<string[]>;
  /** Ends what this engine started, when the service stops. */
  close(): Promise<void>;
}

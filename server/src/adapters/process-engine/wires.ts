import { chmod, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../platform/ports.ts';
import type { RuntimeDoors } from '../../runtimes/runtime-doors.port.ts';

/** Serves a proxy to public addresses at a Unix socket that it makes. @returns closes and removes it */
export type OpenInternet = (path: string) => Promise<() => Promise<void>>;

/** The service's end of a wire to a runtime that has a network of its own. */
export interface Wire {
  /** Its sockets, for confine-runtime.sh. */
  readonly directory: string;
  close: () => void;
}

/**
 * Opens sockets at which one runtime each reaches the service: <dataDir>/wires/<instance_id>. The directory is the
 * service's, so a runtime that sees it can replace nothing in it. It stays while the runtime lives, which has it
 * mounted, also beyond the end of the service.
 */
export class Wires {
  readonly #dataDir: string;
  readonly #log: Log;
  readonly #openInternet: OpenInternet;
  /** undefined: there is no service behind the engine, as in its tests. */
  doors: RuntimeDoors | undefined;

  constructor(dataDir: string, log: Log, openInternet: OpenInternet) {
    this.#dataDir = dataDir;
    this.#log = log;
    this.#openInternet = openInternet;
  }

  async open(instance_id: string, hasInternet: boolean): Promise<Wire> {
    const directory = join(this.#dataDir, 'wires', instance_id);
    await mkdir(join(this.#dataDir, 'wires'), { recursive: true, mode: 0o700 });
    await mkdir(directory, { recursive: true });
    // For the user of the runtime, who reaches it past the directory above.
    await chmod(directory, 0o755);
    // A path to a socket has at most 107 bytes. This one is short, and good while the directory is open.
    const handle = await open(directory, 'r');
    const at = (name: string) => `/proc/self/fd/${handle.fd}/${name}.sock`;
    const closing: (() => Promise<void>)[] = [() => handle.close()];
    const close = async () => {
      for (const step of closing.splice(0).toReversed()) await step();
    };
    try {
      if (this.doors) closing.push(await this.doors.open({ http: at('http'), mtls: at('mtls') }));
      if (hasInternet) closing.push(await this.#openInternet(at('internet')));
    } catch (error) {
      await close();
      throw error;
    }
    const warn = (error: unknown) =>
      this.#log.warn({ instance_id, err: error }, 'the sockets of a runtime are left open');
    return { directory, close: () => void close().catch(warn) };
  }

  /** Deletes what the sockets of a runtime that is gone were in. */
  async remove(instance_id: string): Promise<void> {
    await rm(join(this.#dataDir, 'wires', instance_id), { recursive: true, force: true });
  }
}

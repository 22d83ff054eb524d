import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../ports.ts';
import { Process } from '../processes.ts';
import type { Installation } from '../service.ts';
import { ask } from './answers.ts';
import type { Book } from './book.ts';
import { type Clock, prepareClock } from './clock.ts';
import { Supervised } from './supervised.ts';

const LOOK_EVERY_MS = 250;
const LOOKS_WITHIN_MS = 1000;
/** The kind of the starts and ends of the service's processes. */
export const PROCESSES = 'processes of the service';

/** One process of the service, with a directory of its own. */
export interface Copy {
  name: string;
  base_url: string;
  data_dir: string;
  service: Supervised;
  /** undefined: this machine has no libfaketime. */
  clock: Clock | undefined;
}

interface Launch {
  /** The program. */
  main: string;
  count: number;
  environment: Readonly<Record<string, string>>;
  book: Book;
}

/** The copies of the service, and which of them is ready, as a proxy in front of them sees it. */
export class Copies {
  readonly all: readonly Copy[];
  readonly #book: Book;
  readonly #ready = new Set<Copy>();
  #unready = '';
  #turn = 0;
  #isClosed = false;
  readonly #looking: Promise<void>;

  private constructor(all: readonly Copy[], book: Book) {
    this.all = all;
    this.#book = book;
    this.#looking = this.#look();
  }

  static async start({ directory, ...installation }: Installation, launch: Launch): Promise<Copies> {
    const names = Array.from({ length: launch.count }, (_, index) => `service-${index + 1}`);
    const all: Copy[] = [];
    for (const name of names) all.push(await startCopy({ directory, ...installation }, name, launch));
    return new Copies(all, launch.book);
  }

  /** Where the next request goes: to the copies in turn, so far as they are ready. */
  pick(): string {
    const ready = this.all.filter((copy) => this.#ready.has(copy));
    const chosen = ready.length > 0 ? ready : this.all;
    return chosen[this.#turn++ % chosen.length]?.base_url ?? '';
  }

  /** All copies were ready when they were looked at last. */
  get areReady(): boolean {
    return this.#ready.size === this.all.length;
  }

  isReady(copy: Copy): boolean {
    return this.#ready.has(copy);
  }

  /** Why they are not, for people. */
  get state(): string {
    const words = this.all.map(({ name, service }) => `${name}: ${service.lastWords}`);
    return `${this.#unready}; ${words.join('; ')}`;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#looking;
    await Promise.all(this.all.map(({ service }) => service.stop('SIGTERM')));
  }

  async #look(): Promise<void> {
    while (!this.#isClosed) {
      const { moment } = this.#book;
      await Promise.all(this.all.map((copy) => this.#lookAt(copy)));
      if (this.areReady) this.#book.recovered(moment);
      await sleep(LOOK_EVERY_MS);
    }
  }

  async #lookAt(copy: Copy): Promise<void> {
    const seen = await ask(copy.base_url, { method: 'GET', path: '/readyz' }, LOOKS_WITHIN_MS).catch(
      (error: Error) => ({ status: 0, json: error.message }),
    );
    if (seen.status === 200) return void this.#ready.add(copy);
    this.#ready.delete(copy);
    this.#unready = `${copy.name} /readyz ${seen.status} ${JSON.stringify(seen.json)}`;
  }
}

async function startCopy(
  { directory, database_url, master_key, operations_token }: Installation,
  name: string,
  { main, environment, book }: Launch,
): Promise<Copy> {
  const data_dir = join(directory, name);
  const port = await freePort();
  const clock = await prepareClock(`${data_dir}.clock`);
  const own = {
    NODE_ENV: 'production',
    DATA_DIR: data_dir,
    DATABASE_URL: database_url,
    MASTER_KEY: master_key,
    OPERATIONS_TOKEN: operations_token,
    LOG_LEVEL: 'warn',
    // A restarted service adopts runtimes only if its addresses are the same.
    PORT: String(port),
    MTLS_PORT: String(await freePort()),
    DRAIN_SECONDS: '0',
    ...clock?.environment,
    ...environment,
  };
  const launch = () => {
    book.count(PROCESSES);
    const log = `${data_dir}.log`;
    return new Process({ command: process.execPath, args: [main], environment: own, log });
  };
  const onOwnEnd = (how: string) => book.find(PROCESSES, 'wrong', `${name} ended by itself: ${how}`);
  const service = new Supervised(launch, onOwnEnd);
  return { name, base_url: `http://127.0.0.1:${port}`, data_dir, service, clock };
}

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Book } from './book.ts';
import type { Copies } from './copies.ts';
import type { Check, WriterContext } from './writers.ts';

const RUNTIMES = 'looks for second runtimes';
const LOOK_EVERY_MS = 500;
/** Once all copies are well, a runtime that another has taken over from is ended within this time. */
const ENDED_WITHIN_MS = 20_000;

/** A process of a runtime, without the programs that confine it. */
export interface RuntimeProcess {
  pid: number;
  instance_id: string;
}

/** Processes of live runtimes, without the programs that confine them. */
export function runtimesOf({ all }: Copies): RuntimeProcess[] {
  const marks = new Set(all.map(({ data_dir }) => `ACP_DATA_DIR=${data_dir}`));
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || !read(`/proc/${name}/cmdline`).includes('agent-program')) return [];
    if (['sh', 'unshare', 'setpriv'].includes(read(`/proc/${name}/comm`).trim())) return [];
    const variables = read(`/proc/${name}/environ`).split('\0');
    const instance = variables.find((variable) => variable.startsWith('INSTANCE_ID='));
    if (!instance || !variables.some((variable) => marks.has(variable))) return [];
    return [{ pid: Number(name), instance_id: instance.slice('INSTANCE_ID='.length) }];
  });
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Looks for instances with two runtimes. While a copy is away another one takes its runtimes over, and nobody ends the first
 * ones; once all copies are ready, they have to be gone soon.
 */
export async function watchRuntimes({ book, isOver }: WriterContext, copies: Copies): Promise<Check> {
  const watch = new Watch(book, copies);
  for (; !isOver(); await sleep(LOOK_EVERY_MS)) watch.look();
  return async () => {
    const deadline = Date.now() + 2 * ENDED_WITHIN_MS;
    while (watch.look() > 0 && Date.now() < deadline) await sleep(LOOK_EVERY_MS);
  };
}

class Watch {
  readonly #book: Book;
  readonly #copies: Copies;
  /** For how long instances have had several runtimes while all copies were ready. */
  readonly #times = new Map<string, number>();
  #at = Date.now();

  constructor(book: Book, copies: Copies) {
    this.#book = book;
    this.#copies = copies;
  }

  /** @returns how many instances have several runtimes, those left out that were found */
  look(): number {
    this.#book.count(RUNTIMES);
    const passed = this.#copies.areReady ? Date.now() - this.#at : 0;
    this.#at = Date.now();
    const counts = new Map<string, number>();
    for (const { instance_id } of runtimesOf(this.#copies))
      counts.set(instance_id, (counts.get(instance_id) ?? 0) + 1);
    const several = [...counts].filter(([, count]) => count > 1).map(([id]) => id);
    for (const id of this.#times.keys()) if (!several.includes(id)) this.#times.delete(id);
    for (const id of several) {
      const before = this.#times.get(id) ?? 0;
      const time = before + passed;
      this.#times.set(id, time);
      if (before < ENDED_WITHIN_MS && time >= ENDED_WITHIN_MS)
        this.#book.find(RUNTIMES, 'doubled', `instance ${id} keeps ${counts.get(id)} runtimes`);
    }
    return several.filter((id) => (this.#times.get(id) ?? 0) < ENDED_WITHIN_MS).length;
  }
}

import type { SeldomLog } from '../../platform/seldom-log.ts';
import type { Minted } from '../../runtimes/engine.port.ts';
import { lastLineOf } from '../process-engine/log-file.ts';
import type { KeptPod } from './kept-pods.ts';

const LINES = 20;

export interface LastWordsOptions {
  log: SeldomLog;
  /** Receives the last lines of a runtime that ended. */
  onOutput?: ((instance_id: string, lines: readonly string[]) => Promise<void>) | undefined;
  /** Takes secrets of an instance out of a line that its runtime printed. */
  clean: (instance_id: string, line: string) => Promise<string>;
}

/** The end of what a container wrote before its last end, read once for each end. */
export class LastWords {
  readonly #instance_id: string;
  readonly #options: LastWordsOptions;
  /** Which end of which pod. */
  #end = '';
  /** Without secrets; null: nothing. */
  line: string | null = null;
  /** Known only to the process that made the pod. */
  minted: Minted | undefined;

  constructor(instance_id: string, options: LastWordsOptions) {
    this.#instance_id = instance_id;
    this.#options = options;
  }

  async read(pod: KeptPod | undefined): Promise<void> {
    if (!pod || pod.seen.words === '') return;
    const { uid, seen } = pod;
    const end = `${uid} ${seen.end}`;
    const text = seen.words;
    // It is read once and has up to 4 KiB.
    seen.words = '';
    if (end === this.#end) return;
    this.#end = end;
    const minted = Object.values(this.minted ?? {});
    const clean = (line: string) => minted.reduce((rest, value) => rest.replaceAll(value, '[secret]'), line);
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
    await this.#handOver(lines.slice(-LINES).map(clean));
    this.line = await this.#cleaned(lastLineOf(text, clean));
  }

  async #handOver(lines: readonly string[]): Promise<void> {
    const { onOutput, log } = this.#options;
    await onOutput?.(this.#instance_id, lines).catch((error: unknown) =>
      log.warn(
        'output',
        { instance_id: this.#instance_id, err: error },
        'the last words of a runtime were not kept',
      ),
    );
  }

  async #cleaned(line: string): Promise<string | null> {
    if (line === '') return null;
    const { clean, log } = this.#options;
    try {
      return (await clean(this.#instance_id, line)) || null;
    } catch (error) {
      log.warn(
        'words',
        { instance_id: this.#instance_id, err: error },
        'the last words of a runtime are left out',
      );
      return null;
    }
  }
}

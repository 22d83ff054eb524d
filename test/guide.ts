import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const ROOT = join(import.meta.dirname, '..');
const FOLDERS = [
  '.',
  'docs',
  'docs/decisions',
  'docs/tried',
  'server',
  'runtime',
  'sdk',
  'cli',
  'demo',
  'bench',
];

export const PAGES = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file)),
);

export const readPage = (page: string) => readFileSync(join(ROOT, page), 'utf8');

export interface Block {
  line: number;
  commands: string;
  /** Why no test runs it. */
  skip: string | undefined;
}

/** The blocks of a page that readers copy into a shell: those fenced as `sh` or `sh skip=<reason>`. */
export function blocksOf(page: string): Block[] {
  const text = readPage(page);
  return [...text.matchAll(/^( *)```sh(?: skip=(\S+))?\n(.*?)^\1```$/gms)].map((match) => {
    const [, indent = '', skip, commands = ''] = match;
    const line = text.slice(0, match.index).split('\n').length;
    return { line, skip, commands: commands.replaceAll(new RegExp(`^${indent}`, 'gm'), '') };
  });
}

/** A reader's shell in a clone of this repository, with an empty home, beside a server that `npm start` has started. */
export class Reader {
  readonly #programs: string;
  readonly #home: string;
  readonly #clone: string;
  readonly #base_url: string;

  constructor(place: string, { dataDir, base_url }: { dataDir: string; base_url: string }) {
    this.#home = join(place, 'home');
    this.#programs = join(place, 'bin');
    this.#clone = join(place, 'clone');
    this.#base_url = base_url;
    for (const folder of [this.#home, this.#programs, this.#clone]) mkdirSync(folder);
    const parts = readdirSync(ROOT).filter((name) => name !== 'data');
    for (const name of parts) symlinkSync(join(ROOT, name), join(this.#clone, name));
    symlinkSync(dataDir, join(this.#clone, 'data'));
    // npx starts a second process, and curl takes a refusal for a success.
    this.#put('npx', 'program=$1; shift; exec "node_modules/.bin/$program" "$@"');
    this.#put('curl', 'PATH=${PATH#*:} exec curl --fail-with-body "$@"');
  }

  #put(name: string, script: string): void {
    writeFileSync(join(this.#programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  /**
   * Runs a page's blocks in order, in one shell.
   * @param typed what the reader types, in each block anew
   * @returns standard output
   */
  async follow(page: string, typed = ''): Promise<string> {
    const input = join(this.#home, 'typed');
    writeFileSync(input, typed);
    const parts = blocksOf(page)
      .filter(({ skip }) => skip === undefined)
      .map(
        ({ line, commands }) =>
          `block=${page}:${line}\n{\n${commands.replaceAll('http://127.0.0.1:8080', this.#base_url)}} < ${input}\n`,
      );
    const script = `trap '[ $? = 0 ] || echo "It failed in the block of $block" >&2' EXIT\n${parts.join('')}`;
    const running = promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
      cwd: this.#clone,
      env: { PATH: `${this.#programs}:${process.env.PATH}`, HOME: this.#home },
    });
    running.child.stdin?.end();
    return (await running).stdout;
  }
}

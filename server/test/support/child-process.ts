import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
const SERVER = join(REPOSITORY, 'server');

/** Compiles adapters into `directory`/out, because Node 20 runs no TypeScript. `files` are below src/adapters. */
export async function compileAdapters(directory: string, files: string[]): Promise<void> {
  const config = {
    extends: join(SERVER, 'tsconfig.json'),
    compilerOptions: {
      incremental: false,
      noCheck: true,
      tsBuildInfoFile: null,
      rootDir: join(SERVER, 'src/adapters'),
      outDir: join(directory, 'out'),
      typeRoots: [join(REPOSITORY, 'node_modules/@types')],
    },
    include: [],
    files: files.map((file) => join(SERVER, 'src/adapters', file)),
  };
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(config));
  await writeFile(join(directory, 'package.json'), '{"type":"module"}');
  await symlink(join(REPOSITORY, 'node_modules'), join(directory, 'node_modules'));
  const compiler = join(REPOSITORY, 'node_modules/.bin/tsc');
  await promisify(execFile)(compiler, ['-p', join(directory, 'tsconfig.json')]);
}

export interface Child {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Throws with stderr when the process ends. */
  readonly nextLine: () => Promise<string>;
  readonly exited: Promise<unknown>;
}

export function startChild(command: string, args: string[], user?: { uid: number; gid: number }): Child {
  const child = spawn(command, args, { ...user, cwd: '/', stdio: ['pipe', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const complaints: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk.toString()));
  const nextLine = async () => {
    const line = await lines.next();
    if (line.done === true) throw new Error(`The child process ended: ${complaints.join('')}`);
    return line.value;
  };
  return { process: child, nextLine, exited };
}

import { access, constants, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { inherited } from './spawn.ts';

const SERVICE = resolve(import.meta.dirname, '../../..');
const REPOSITORY = dirname(SERVICE);
/** Visible anyway. */
const SYSTEM = /^\/(usr|bin|sbin|lib|lib32|lib64|libx32)(\/|$)/;

/** The absolute path of a program that may be a name in PATH. */
export async function absoluteProgram(program: string): Promise<string> {
  if (program.includes('/')) return program;
  for (const directory of (inherited().PATH ?? '').split(delimiter)) {
    const path = join(directory, program);
    if (isAbsolute(path) && (await isThere(path, constants.X_OK))) return path;
  }
  return program;
}

/** The files that a command names: its program, and those of its arguments that are absolute paths. */
export async function filesOf([program = '', ...args]: readonly string[]): Promise<string[]> {
  const paths = [await absoluteProgram(program), ...args.filter((argument) => isAbsolute(argument))];
  const found = await Promise.all(paths.map(async (path) => ((await isThere(path)) ? [path] : [])));
  return found.flat();
}

/**
 * The paths that a command needs beside the system's own: the installation of the program, and for each file among the
 * arguments its package, or else its directory.
 */
export async function visiblePaths(command: readonly string[]): Promise<string[]> {
  const [program, ...args] = await filesOf(command);
  const shown = program ? [program, installationOf(await realpath(program))] : [];
  for (const argument of args) shown.push(argument, ...(await packageOf(await realpath(argument))));
  return [...new Set(shown)].filter((path) => !SYSTEM.test(path)).toSorted((a, b) => a.length - b.length);
}

/** `<installation>/bin/<program>` */
function installationOf(program: string): string {
  const directory = dirname(program);
  const installation = basename(directory) === 'bin' ? dirname(directory) : directory;
  return isTooMuch(installation) ? program : installation;
}

async function packageOf(path: string): Promise<string[]> {
  const directory = (await stat(path)).isDirectory() ? path : dirname(path);
  for (let above = directory; !isTooMuch(above); above = dirname(above)) {
    if (!(await isThere(join(above, 'package.json')))) continue;
    // The packages of a workspace share the libraries of the repository.
    return above.startsWith(`${REPOSITORY}/`) ? [above, join(REPOSITORY, 'node_modules')] : [above];
  }
  return [isTooMuch(directory) ? path : directory];
}

/** True for directories that hold much else: the root, a home, the service. */
function isTooMuch(directory: string): boolean {
  return directory === '/' || directory === homedir() || `${SERVICE}/`.startsWith(`${directory}/`);
}

const isThere = (path: string, mode = constants.F_OK): Promise<boolean> =>
  access(path, mode).then(
    () => true,
    () => false,
  );

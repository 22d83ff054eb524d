import { isUtf8 } from 'node:buffer';

/** Where something stands below a drive's root: the names on the way, none for the root itself. */
export type Path = readonly string[];

/** Hidden files are somebody's tools, not documents: they are not there. */
export const isVisible = (name: string): boolean => !name.startsWith('.');

/** To everybody else an id means nothing. The slash gives the root one too. */
export const toId = (path: Path): string => Buffer.from(`/${path.join('/')}`).toString('base64url');

/** @returns undefined unless it is an id that `toId` gives: no name in it is empty, `..` or hidden */
export function fromId(id: string): Path | undefined {
  const bytes = Buffer.from(id, 'base64url');
  const text = bytes.toString();
  if (!isUtf8(bytes) || !text.startsWith('/') || text.includes('\0')) return undefined;
  const path = text === '/' ? [] : text.slice(1).split('/');
  const isSound = path.every((name) => name !== '' && isVisible(name)) && toId(path) === id;
  return isSound ? path : undefined;
}

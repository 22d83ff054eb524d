import { isUtf8 } from 'node:buffer';

/** Names below a drive's root; empty for the root itself. */
export type Path = readonly string[];

/** Hidden files belong to tools. */
export const isVisible = (name: string): boolean => !name.startsWith('.');

/** The leading slash gives the root an id, too. */
export const toId = (path: Path): string => Buffer.from(`/${path.join('/')}`).toString('base64url');

/** @returns undefined unless `toId` can produce the id: no name in it is empty, `..` or hidden */
export function fromId(id: string): Path | undefined {
  const bytes = Buffer.from(id, 'base64url');
  const text = bytes.toString();
  if (!isUtf8(bytes) || !text.startsWith('/') || text.includes('\0')) return undefined;
  const path = text === '/' ? [] : text.slice(1).split('/');
  const isSound = path.every((name) => name !== '' && isVisible(name)) && toId(path) === id;
  return isSound ? path : undefined;
}

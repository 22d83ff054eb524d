import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { lstat, opendir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Drive, DriveConnection, DriveContent, DriveFile, DriveSearch } from '../../drive/drive.port.ts';
import { notFound } from '../../platform/errors.ts';
import { MAX_CONTENT_BYTES, nothingToRead, readUpTo, toContent, tooLarge } from './content.ts';
import { fromId, isVisible, type Path, toId } from './filesystem-ids.ts';
import { descriptorPath, openBelow, openRoot, unreadable } from './filesystem-root.ts';

/** A search stops at these limits and returns the matches so far. */
const MAX_ENTRIES = 50_000;
const MAX_DEPTH = 32;

/** A package would add a thousand types that no agent reads. */
const MIME_TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.doc': 'application/msword',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.eml': 'message/rfc822',
  '.gif': 'image/gif',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.ics': 'text/calendar',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.log': 'text/plain',
  '.md': 'text/markdown',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.odp': 'application/vnd.oasis.opendocument.presentation',
  '.ods': 'application/vnd.oasis.opendocument.spreadsheet',
  '.odt': 'application/vnd.oasis.opendocument.text',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.ppt': 'application/vnd.ms-powerpoint',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  '.rtf': 'application/rtf',
  '.svg': 'image/svg+xml',
  '.tsv': 'text/tab-separated-values',
  '.txt': 'text/plain',
  '.vcf': 'text/vcard',
  '.wav': 'audio/wav',
  '.webp': 'image/webp',
  '.xls': 'application/vnd.ms-excel',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.xml': 'application/xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.zip': 'application/zip',
};

interface Found {
  path: Path;
  isFolder: boolean;
}

/** Local folders as drives, one root per tenant. Only regular files and folders are visible. */
export class FilesystemDrive implements Drive {
  readonly #filesystemRoot: string;

  constructor(filesystemRoot: string) {
    this.#filesystemRoot = filesystemRoot;
  }

  /** Breadth first, by name within each folder. */
  async search(connection: DriveConnection, search: DriveSearch): Promise<DriveFile[]> {
    const { folder_id, max_results } = search;
    const { folder_ids } = connection;
    const root = await openRoot(this.#filesystemRoot, connection);
    const waiting = startOf(folder_id ? [folder_id] : folder_ids);
    if (folder_id && (waiting.length === 0 || (folder_ids && !folder_ids.includes(folder_id)))) {
      throw notFound('Folder');
    }
    const isRecursive = !folder_id && !folder_ids;
    const matches = matcherOf(search);
    const files: DriveFile[] = [];
    let entriesLeft = MAX_ENTRIES;
    // The loop appends subfolders to this list.
    for (const folder of waiting) {
      const handle = await openBelow(root, folder, constants.O_DIRECTORY);
      if (!handle) {
        if (folder_id) throw notFound('Folder');
        continue;
      }
      try {
        const found = await listFolder(handle, folder, entriesLeft).catch(() => raise(unreadable()));
        entriesLeft -= found.length;
        for (const { path, isFolder } of found) {
          if (isFolder && isRecursive && path.length < MAX_DEPTH) waiting.push(path);
          const file = isFolder || !matches(nameOf(path)) ? undefined : await describe(handle, path);
          if (file) files.push(file);
          if (files.length === max_results) return files;
        }
      } finally {
        await handle.close();
      }
      if (entriesLeft <= 0) break;
    }
    return files;
  }

  async read(connection: DriveConnection, file_id: string): Promise<DriveContent> {
    const root = await openRoot(this.#filesystemRoot, connection);
    const path = fromId(file_id) ?? raise(notFound('File'));
    if (path.length === 0) throw nothingToRead();
    const { folder_ids } = connection;
    if (folder_ids && !folder_ids.includes(toId(path.slice(0, -1)))) throw notFound('File');
    const handle = (await openBelow(root, path)) ?? raise(notFound('File'));
    try {
      const stats = await handle.stat();
      if (stats.isDirectory()) throw nothingToRead();
      if (!stats.isFile()) throw notFound('File');
      if (stats.size > MAX_CONTENT_BYTES) throw tooLarge();
      const stream = handle.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>;
      const tooLong = tooLarge();
      const bytes = await readUpTo(stream, MAX_CONTENT_BYTES, () => tooLong).catch((error: unknown) => {
        throw error === tooLong ? tooLong : unreadable();
      });
      const name = nameOf(path);
      return { id: file_id, name, mime_type: mimeTypeOf(name), ...toContent(bytes) };
    } finally {
      await handle.close();
    }
  }
}

/** The root by default. Malformed ids are skipped. */
const startOf = (folder_ids: readonly string[] | undefined): Path[] =>
  folder_ids?.map(fromId).filter((path) => path !== undefined) ?? [[]];

/** Ignores case and Unicode composition. */
function matcherOf({ query = '', mime_type }: DriveSearch): (name: string) => boolean {
  const wanted = folded(query);
  const wantedType = mime_type?.toLowerCase();
  return (name) => folded(name).includes(wanted) && (!wantedType || mimeTypeOf(name) === wantedType);
}

const folded = (text: string): string => text.normalize('NFC').toLowerCase();

const nameOf = (path: Path): string => path.at(-1) ?? '';

const mimeTypeOf = (name: string): string =>
  MIME_TYPES[extname(name).toLowerCase()] ?? 'application/octet-stream';

async function listFolder(handle: FileHandle, folder: Path, limit: number): Promise<Found[]> {
  const found: Found[] = [];
  for await (const entry of await opendir(descriptorPath(handle))) {
    if (found.length === limit) break;
    const isFolder = entry.isDirectory();
    if (isVisible(entry.name) && (isFolder || entry.isFile()))
      found.push({ path: [...folder, entry.name], isFolder });
  }
  return found.toSorted((a, b) => (nameOf(a.path) < nameOf(b.path) ? -1 : 1));
}

/** @returns undefined when the file has disappeared or its name is not UTF-8 */
async function describe(folder: FileHandle, path: Path): Promise<DriveFile | undefined> {
  const name = nameOf(path);
  const stats = await lstat(join(descriptorPath(folder), name)).catch(() => undefined);
  if (!stats?.isFile()) return undefined;
  return {
    id: toId(path),
    name,
    mime_type: mimeTypeOf(name),
    size: stats.size,
    modified_at: stats.mtime.toISOString(),
    folder_id: toId(path.slice(0, -1)),
    web_url: null,
  };
}

function raise(error: Error): never {
  throw error;
}

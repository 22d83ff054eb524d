import type { DriveFile, DriveSearch } from '../../drive/drive.port.ts';

/** The checked fields of a Drive v3 files resource that are used. */
export interface GoogleFile {
  id: string;
  name: string;
  mimeType: string;
  size: number | null;
  modifiedTime: string | null;
  parents: readonly string[];
  webViewLink: string | null;
  trashed: boolean;
  shortcutTarget: string | undefined;
}

type Fields = Record<string, unknown>;

/** From the body of files.get; undefined when it is not a file. */
export const parseFile = (body: Buffer): GoogleFile | undefined => toFile(parse(body));

/** From the body of files.list; undefined when it is not a page of files. */
export function parsePage(
  body: Buffer,
): { files: GoogleFile[]; nextPageToken: string | undefined } | undefined {
  const page = parse(body);
  if (!isObject(page) || !Array.isArray(page.files ?? [])) return undefined;
  const files = ((page.files ?? []) as unknown[]).map(toFile);
  if (!files.every((file) => file !== undefined)) return undefined;
  return { files, nextPageToken: asText(page.nextPageToken) ?? undefined };
}

export const toDriveFile = (file: GoogleFile): DriveFile => ({
  id: file.id,
  name: file.name,
  mime_type: file.mimeType,
  size: file.size,
  modified_at: file.modifiedTime,
  folder_id: file.parents[0] ?? null,
  web_url: file.webViewLink,
});

export const isWithin = (file: GoogleFile, folder_ids: readonly string[] | undefined): boolean =>
  folder_ids === undefined || file.parents.some((id) => folder_ids.includes(id));

function toFile(value: unknown): GoogleFile | undefined {
  if (!isObject(value)) return undefined;
  const [id, name] = [asText(value.id), asText(value.name)];
  if (!id || name === null) return undefined;
  const { parents, shortcutDetails } = value;
  return {
    id,
    name,
    mimeType: asText(value.mimeType) ?? 'application/octet-stream',
    size: asSize(value.size),
    modifiedTime: asTime(value.modifiedTime),
    parents: Array.isArray(parents) ? parents.filter((parent) => typeof parent === 'string') : [],
    webViewLink: asText(value.webViewLink),
    trashed: value.trashed === true,
    shortcutTarget: (isObject(shortcutDetails) && asText(shortcutDetails.targetId)) || undefined,
  };
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Google's JSON writes an int64 as a string. */
function asSize(value: unknown): number | null {
  const size = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? size : null;
}

function asTime(value: unknown): string | null {
  const time = typeof value === 'string' ? new Date(value) : undefined;
  return time && !Number.isNaN(time.getTime()) ? time.toISOString() : null;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/**
 * The `q` of files.list (https://developers.google.com/workspace/drive/api/guides/search-files). Values are quoted and
 * cannot change the query.
 */
export function searchQuery(
  { query, mime_type }: DriveSearch,
  folders: readonly string[] | undefined,
): string {
  const terms = ['trashed = false'];
  if (query) terms.push(`name contains ${quote(query)}`);
  if (mime_type) terms.push(`mimeType = ${quote(mime_type)}`);
  if (folders) {
    const parents = folders.map((id) => `${quote(id)} in parents`);
    terms.push(parents.length === 1 ? String(parents[0]) : `(${parents.join(' or ')})`);
  }
  return terms.join(' and ');
}

const quote = (value: string) => `'${value.replaceAll(/[\\']/g, String.raw`\$&`)}'`;

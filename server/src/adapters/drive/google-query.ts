import type { DriveSearch } from '../../drive/drive.port.ts';

/**
 * A search in the query language of files.list (https://developers.google.com/workspace/drive/api/guides/search-files).
 * Whatever a value holds, it stays one value.
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

import { drive_v3 } from '@googleapis/drive';
import type { Drive, DriveConnection, DriveContent, DriveFile, DriveSearch } from '../../drive/drive.port.ts';
import { notFound } from '../../platform/errors.ts';
import { driveFailure, MAX_CONTENT_BYTES, nothingToRead, toContent, tooLarge } from './content.ts';
import { type Expected, GoogleCalls, type Send } from './google-calls.ts';
import { type GoogleFile, isWithin, parseFile, parsePage, searchQuery, toDriveFile } from './google-files.ts';
import { GoogleTokens } from './google-tokens.ts';

export interface GoogleDriveOptions {
  /** The address of Drive v3 without /drive/v3. */
  base_url: string;
  token_url: string;
  /** For one request, including its response. */
  timeoutMs?: number;
  /** The wait before the first retry; doubled for the second. */
  firstRetryMs?: number;
}

const TIMEOUT_MS = 15_000;
/** Pages may be short or empty, so a search stops at these limits and returns the files so far. */
const MAX_PAGES = 10;
const PAGES_WITHIN_MS = 30_000;
const MAX_JSON_BYTES = 4 * 1024 * 1024;

const FILE_FIELDS = 'id,name,mimeType,size,modifiedTime,parents,webViewLink';
const GOOGLE_TYPE = 'application/vnd.google-apps.';
const SHORTCUT = `${GOOGLE_TYPE}shortcut`;
/** The plainest format that keeps the content. */
const EXPORTS: ReadonlyMap<string, string> = new Map([
  [`${GOOGLE_TYPE}document`, 'text/plain'],
  [`${GOOGLE_TYPE}presentation`, 'text/plain'],
  // CSV holds only the first sheet.
  [`${GOOGLE_TYPE}spreadsheet`, 'text/csv'],
  [`${GOOGLE_TYPE}drawing`, 'image/png'],
]);

const garbage = () => driveFailure('The drive’s response is not understood');
const json = (what: Expected['what']): Expected => ({ what, maxBytes: MAX_JSON_BYTES, overLimit: garbage });
const content: Expected = { what: 'File', maxBytes: MAX_CONTENT_BYTES, overLimit: tooLarge };

/** Google Drive v3 with shared drives (https://developers.google.com/workspace/drive/api/reference/rest/v3). */
export class GoogleDrive implements Drive {
  readonly #api = new drive_v3.Drive({});
  readonly #calls: GoogleCalls;

  constructor({ base_url, token_url, timeoutMs = TIMEOUT_MS, firstRetryMs }: GoogleDriveOptions) {
    const tokens = new GoogleTokens(token_url, timeoutMs);
    this.#calls = new GoogleCalls({ base_url, timeoutMs, firstRetryMs }, tokens);
  }

  async search(connection: DriveConnection, search: DriveSearch): Promise<DriveFile[]> {
    const { folder_id, max_results } = search;
    const { folder_ids } = connection;
    if (folder_id && folder_ids && !folder_ids.includes(folder_id)) throw notFound('Folder');
    const folders = folder_id ? [folder_id] : folder_ids;
    if (folders?.length === 0) return [];
    const files: GoogleFile[] = [];
    let pageToken: string | undefined;
    const until = performance.now() + PAGES_WITHIN_MS;
    for (let pages = 0; pages < MAX_PAGES && files.length < max_results; pages++) {
      const params = {
        q: searchQuery(search, folders),
        pageSize: max_results - files.length,
        fields: `nextPageToken,files(${FILE_FIELDS})`,
        supportsAllDrives: true,
        includeItemsFromAllDrives: true,
        ...(pageToken && { pageToken }),
      };
      const body = await this.#call(connection, json(folders ? 'Folder' : null), (options) =>
        this.#api.files.list(params, options),
      );
      const page = parsePage(body) ?? raise(garbage());
      files.push(...page.files.slice(0, params.pageSize));
      pageToken = page.nextPageToken;
      if (!pageToken || performance.now() > until) break;
    }
    return files.map(toDriveFile);
  }

  async read(connection: DriveConnection, file_id: string): Promise<DriveContent> {
    const found = await this.#find(connection, file_id);
    // Only one shortcut is followed.
    const target = found.mimeType === SHORTCUT ? (found.shortcutTarget ?? raise(garbage())) : undefined;
    const file = target === undefined ? found : await this.#find(connection, target);
    if (file.mimeType === SHORTCUT) throw notFound('File');
    const { id, name } = file;
    const exportType = EXPORTS.get(file.mimeType);
    if (exportType === undefined && file.mimeType.startsWith(GOOGLE_TYPE)) throw nothingToRead();
    if (exportType === undefined && (file.size ?? 0) > MAX_CONTENT_BYTES) throw tooLarge();
    const bytes = await this.#call(connection, content, (options) =>
      exportType === undefined
        ? this.#api.files.get({ fileId: id, alt: 'media', supportsAllDrives: true }, options)
        : this.#api.files.export({ fileId: id, mimeType: exportType }, options),
    );
    return { id, name, mime_type: exportType ?? file.mimeType, ...toContent(bytes) };
  }

  /** Throws not found for files in the bin or outside the connection's folders. */
  async #find(connection: DriveConnection, fileId: string): Promise<GoogleFile> {
    // As path segments these would address another resource.
    if (fileId === '.' || fileId === '..') throw notFound('File');
    const fields = `${FILE_FIELDS},trashed,shortcutDetails(targetId)`;
    const body = await this.#call(connection, json('File'), (options) =>
      this.#api.files.get({ fileId, fields, supportsAllDrives: true }, options),
    );
    const file = parseFile(body) ?? raise(garbage());
    if (file.trashed || !isWithin(file, connection.folder_ids)) throw notFound('File');
    return file;
  }

  #call(connection: DriveConnection, expected: Expected, send: Send): Promise<Buffer> {
    return this.#calls.call(connection, expected, send);
  }
}

function raise(error: Error): never {
  throw error;
}

import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GoogleDrive } from '../../src/adapters/drive/google-drive.ts';
import type { DriveConnection } from '../../src/drive/drive.port.ts';
import { ServiceError, ValidationError } from '../../src/platform/errors.ts';
import { type FakeFile, FakeGoogle, fail, reply } from '../support/google-drive.ts';

const MIB = 1024 * 1024;
const SECRETS = {
  client_id: 'the-client',
  client_secret: 'the-client-secret',
  refresh_token: '1//the-refresh',
};

let google: FakeGoogle;
let base_url: string;
let drive: GoogleDrive;

beforeEach(async () => {
  google = new FakeGoogle();
  base_url = await google.start();
  drive = new GoogleDrive({ base_url, token_url: `${base_url}/token`, firstRetryMs: 10 });
});
afterEach(() => google.stop());

const connect = (overrides: Partial<DriveConnection> = {}): DriveConnection => ({
  id: 'connection-1',
  tenant_id: 'tenant-1',
  provider: 'google_drive',
  credentials: SECRETS,
  folder_ids: undefined,
  ...overrides,
});
const fileOf = (id: string, overrides: Partial<FakeFile> = {}): FakeFile => ({
  id,
  name: `${id}.txt`,
  mimeType: 'text/plain',
  parents: ['folder-1'],
  content: `content of ${id}`,
  ...overrides,
});
const document = (kind: string, overrides: Partial<FakeFile> = {}) =>
  fileOf(kind, { mimeType: `application/vnd.google-apps.${kind}`, name: kind, ...overrides });

/** Also checks that the error reveals no internals. */
async function refusalOf(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error = await work.then(() => undefined).catch((error: unknown) => error);
  if (!(error instanceof ServiceError)) throw new Error('It was not refused', { cause: error });
  const revealed = `${error.message} ${JSON.stringify(error)} ${String(error.cause)}`;
  expect(revealed).not.toMatch(/the-client|1\/\/|access-|own words|127\.0\.0\.1/);
  return { code: error.code, message: error.message };
}
const BAD = 'bad_gateway';
const search = (connection = connect()) => drive.search(connection, { max_results: 1 });
const read = (id: string, connection = connect()) => drive.read(connection, id);
const times = (count: number, answer: (response: ServerResponse) => void) =>
  google.answers.push(...Array.from({ length: count }, () => answer));
const shortcut = (id: string, targetId: string) => ({
  ...document('shortcut'),
  id,
  shortcutDetails: { targetId },
});
const half = (response: ServerResponse) => {
  response.writeHead(200, { 'content-length': '10' });
  response.write('half', () => response.destroy());
};
const endless = (response: ServerResponse) => reply(response, 200, { files: [], nextPageToken: 'again' });
const queries = () => google.seen.map(({ query }) => query);

describe('search', () => {
  it('sends the query, the shared-drive flags and the fields, and returns files', async () => {
    const modifiedTime = '2026-01-31T09:30:00.000Z';
    google.files = [
      fileOf('a', { modifiedTime, webViewLink: 'https://drive.example/a', size: '42' }),
      document('document', { name: 'a doc', parents: [] }),
      fileOf('b', { trashed: true, name: 'a.b' }),
    ];
    const found = await drive.search(connect(), { query: 'a', max_results: 20 });
    expect(found).toEqual([
      {
        id: 'a',
        name: 'a.txt',
        mime_type: 'text/plain',
        size: 42,
        modified_at: modifiedTime,
        folder_id: 'folder-1',
        web_url: 'https://drive.example/a',
      },
      {
        id: 'document',
        name: 'a doc',
        mime_type: 'application/vnd.google-apps.document',
        size: null,
        modified_at: null,
        folder_id: null,
        web_url: null,
      },
    ]);
    expect(google.seen).toEqual([
      {
        method: 'GET',
        path: '/drive/v3/files',
        query: {
          q: "trashed = false and name contains 'a'",
          pageSize: '20',
          fields: 'nextPageToken,files(id,name,mimeType,size,modifiedTime,parents,webViewLink)',
          supportsAllDrives: 'true',
          includeItemsFromAllDrives: 'true',
        },
        authorization: 'Bearer access-1',
      },
    ]);
  });

  it.each([
    [`it's; drop`, String.raw`name contains 'it\'s; drop'`],
    [`x' or name contains 'y`, String.raw`name contains 'x\' or name contains \'y'`],
    [String.raw`a\' or 'b`, String.raw`name contains 'a\\\' or \'b'`],
    [`$& $1 \u00fc\n`, `name contains '$& $1 \u00fc\n'`],
  ])('quotes %j', async (query, term) => {
    google.files = [fileOf('a'), fileOf('b', { name: `-${query}-` })];
    const found = await drive.search(connect(), { query, max_results: 20 });
    expect(queries()[0]?.q).toBe(`trashed = false and ${term}`);
    expect(found.map(({ id }) => id)).toEqual(['b']);
  });

  it('filters by MIME type and folder, which it quotes, too', async () => {
    await drive.search(connect(), { mime_type: "a'b", folder_id: "c\\' in parents or 'd", max_results: 1 });
    const folder = String.raw`'c\\\' in parents or \'d' in parents`;
    expect(queries()[0]?.q).toBe(String.raw`trashed = false and mimeType = 'a\'b' and ${folder}`);
  });

  it('requests pages until there are enough files', async () => {
    google.files = Array.from({ length: 30 }, (_, index) => fileOf(`f${index}`));
    google.maxPageSize = 10;
    const found = await drive.search(connect(), { max_results: 25 });
    expect(found.map(({ id }) => id)).toEqual(google.files.slice(0, 25).map(({ id }) => id));
    expect(queries().map(({ pageSize, pageToken }) => [pageSize, pageToken])).toEqual([
      ['25', undefined],
      ['15', '10'],
      ['5', '20'],
    ]);
    google.answers.push((response) => reply(response, 200, { files: [], nextPageToken: '28' }));
    expect(await drive.search(connect(), { max_results: 25 })).toHaveLength(2);
  });

  it('limits the number of pages', async () => {
    google.answers.push(...Array.from({ length: 50 }, () => endless));
    expect(await drive.search(connect(), { max_results: 5 })).toEqual([]);
    expect(google.seen).toHaveLength(10);
  });

  it('ignores files beyond the requested page size', async () => {
    const files = Array.from({ length: 180_000 }, () => ({ id: 'a', name: '' }));
    google.answers.push((response) => reply(response, 200, { files }));
    expect(await drive.search(connect(), { max_results: 5 })).toHaveLength(5);
  });

  it('stays within the folders that the connection is limited to', async () => {
    google.files = [
      fileOf('a'),
      fileOf('b', { parents: ['folder-2'] }),
      fileOf('c', { parents: ['folder-3'] }),
    ];
    const limited = connect({ folder_ids: ['folder-1', 'folder-2'] });
    const ids = async (folder_id?: string) =>
      (await drive.search(limited, { folder_id, max_results: 20 })).map(({ id }) => id);
    expect(await ids()).toEqual(['a', 'b']);
    expect(queries()[0]?.q).toBe(`trashed = false and ('folder-1' in parents or 'folder-2' in parents)`);
    expect(await ids('folder-2')).toEqual(['b']);
    const asked = google.seen.length;
    expect(await refusalOf(ids('folder-3'))).toEqual({ code: 'not_found', message: 'Folder not found' });
    const none = connect({ folder_ids: [] });
    expect(await drive.search(none, { max_results: 20 })).toEqual([]);
    const within = drive.search(none, { folder_id: 'folder-1', max_results: 20 });
    expect(await refusalOf(within)).toEqual({ code: 'not_found', message: 'Folder not found' });
    expect(google.seen).toHaveLength(asked);
  });
});

describe('read', () => {
  it('returns text as it is, other bytes as base64, also from shared drives', async () => {
    const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff]);
    google.files = [
      fileOf('a', { content: 'grün' }),
      fileOf('b', { content: bytes, mimeType: 'image/png' }),
      fileOf('c', { content: 'a\0b' }),
      fileOf('d', { content: '' }),
    ];
    expect(await read('a')).toEqual({
      id: 'a',
      name: 'a.txt',
      mime_type: 'text/plain',
      size: 5,
      encoding: 'utf-8',
      content: 'grün',
    });
    expect(await read('b')).toMatchObject({ size: 5, encoding: 'base64', content: bytes.toString('base64') });
    expect(await read('c')).toMatchObject({ encoding: 'base64', content: 'YQBi' });
    expect(await read('d')).toMatchObject({ size: 0, encoding: 'utf-8', content: '' });
    expect(google.seen.slice(0, 2)).toMatchObject([
      {
        path: '/drive/v3/files/a',
        query: {
          supportsAllDrives: 'true',
          fields: 'id,name,mimeType,size,modifiedTime,parents,webViewLink,trashed,shortcutDetails(targetId)',
        },
      },
      { path: '/drive/v3/files/a', query: { supportsAllDrives: 'true', alt: 'media' } },
    ]);
  });

  it.each([
    ['document', 'text/plain'],
    ['spreadsheet', 'text/csv'],
    ['presentation', 'text/plain'],
    ['drawing', 'image/png'],
  ])('exports a %s to %s', async (kind, mime_type) => {
    google.files = [document(kind, { content: 'words' })];
    const file = await read(kind);
    expect(file).toMatchObject({
      id: kind,
      mime_type,
      content: `${mime_type}: words`,
      size: file.content.length,
    });
    expect(google.seen[1]).toMatchObject({
      path: `/drive/v3/files/${kind}/export`,
      query: { mimeType: mime_type },
    });
  });

  it('refuses folders and forms', async () => {
    google.files = [document('folder'), document('form'), fileOf('a')];
    await expect(read('folder')).rejects.toThrow(ValidationError);
    await expect(read('form')).rejects.toThrow(ValidationError);
    google.answers.push((response) => reply(response, 200, fileOf('a')));
    google.answers.push((response) => fail(response, 403, 'fileNotDownloadable'));
    google.tokens.add('access-1');
    await expect(read('a')).rejects.toThrow(ValidationError);
  });

  it.each(['constructor', 'toString', '__proto__'])(
    'gives a file of the kind %s as it is',
    async (mimeType) => {
      google.files = [fileOf('a', { mimeType })];
      expect(await read('a')).toMatchObject({ mime_type: mimeType, content: 'content of a' });
    },
  );

  it('finds no missing or deleted file, and none for a malformed id', async () => {
    google.files = [fileOf('a', { trashed: true })];
    const missing = { code: 'not_found', message: 'File not found' };
    expect(await refusalOf(read('a'))).toEqual(missing);
    expect(await refusalOf(read('b'))).toEqual(missing);
    expect(await refusalOf(read("../x?alt=media&y='"))).toEqual(missing);
    expect(google.seen.at(-1)?.path).toMatch(/^\/drive\/v3\/files\/\.\.%2Fx%3F[^/]*$/);
    const asked = google.seen.length;
    expect(await refusalOf(read('..'))).toEqual(missing);
    expect(google.seen).toHaveLength(asked);
  });

  it('stays within the folders that the connection is limited to, also behind shortcuts', async () => {
    const missing = { code: 'not_found', message: 'File not found' };
    google.files = [
      fileOf('in'),
      fileOf('out', { parents: ['folder-9'] }),
      fileOf('nowhere', { parents: [] }),
      document('shortcut', { shortcutDetails: { targetId: 'out' } }),
    ];
    const limited = connect({ folder_ids: ['folder-1'] });
    expect(await read('in', limited)).toMatchObject({ content: 'content of in' });
    for (const id of ['out', 'nowhere', 'shortcut'])
      expect(await refusalOf(read(id, limited))).toEqual(missing);
    expect(await refusalOf(read('in', connect({ folder_ids: [] })))).toEqual(missing);
    expect(queries().filter(({ alt }) => alt === 'media')).toHaveLength(1);
  });

  it('follows only one shortcut', async () => {
    google.files = [fileOf('a'), shortcut('one', 'a'), shortcut('two', 'one'), shortcut('self', 'self')];
    expect(await read('one')).toMatchObject({ id: 'a', name: 'a.txt', content: 'content of a' });
    expect(await refusalOf(read('two'))).toMatchObject({ code: 'not_found' });
    expect(await refusalOf(read('self'))).toMatchObject({ code: 'not_found' });
  });

  it('returns 10 MiB, and refuses one byte more before the download', async () => {
    google.files = [
      fileOf('a', { content: Buffer.alloc(10 * MIB, 'x') }),
      fileOf('b', { size: `${10 * MIB + 1}` }),
    ];
    expect(await read('a')).toMatchObject({ size: 10 * MIB, encoding: 'utf-8' });
    const asked = google.seen.length;
    expect(await refusalOf(read('b'))).toMatchObject({ code: 'payload_too_large' });
    expect(google.seen).toHaveLength(asked + 1);
  });

  it('aborts a download that exceeds its stated size', async () => {
    google.tokens.add('access-1');
    let isCut = false;
    google.answers.push(
      (response) => reply(response, 200, { ...fileOf('a'), size: '5' }),
      (response) => {
        response.once('close', () => {
          isCut = true;
        });
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        };
        response.on('drain', more);
        more();
      },
    );
    expect(await refusalOf(read('a'))).toMatchObject({ code: 'payload_too_large' });
    await expect.poll(() => isCut).toBe(true);
  });

  it('refuses an export that is too large for Google', async () => {
    google.tokens.add('access-1');
    google.answers.push((response) => reply(response, 200, document('document')));
    google.answers.push((response) => fail(response, 403, 'exportSizeLimitExceeded'));
    expect(await refusalOf(read('document'))).toMatchObject({ code: 'payload_too_large' });
  });
});

describe('tokens', () => {
  it('are requested with the refresh token, once for concurrent calls, and cached', async () => {
    await Promise.all(Array.from({ length: 5 }, () => search()));
    await search();
    expect(google.tokenForms).toEqual([{ ...SECRETS, grant_type: 'refresh_token' }]);
    expect(new Set(google.seen.map(({ authorization }) => authorization))).toEqual(
      new Set(['Bearer access-1']),
    );
  });

  it('are not shared by connections, nor by old and new credentials', async () => {
    await search();
    await search(connect({ id: 'connection-2' }));
    await search(connect({ credentials: { ...SECRETS, refresh_token: 'another' } }));
    expect(google.tokenForms.map(({ refresh_token }) => refresh_token)).toEqual([
      SECRETS.refresh_token,
      SECRETS.refresh_token,
      'another',
    ]);
  });

  it('are used until Drive refuses them, whether given or requested', async () => {
    google.tokens.add('given');
    const connection = connect({ credentials: { ...SECRETS, access_token: 'given' } });
    await search(connection);
    expect(google.tokenForms).toEqual([]);
    google.tokens.clear();
    await Promise.all([search(connection), search(connection)]);
    expect(google.tokenForms).toHaveLength(1);
    google.tokens.clear();
    await search(connection);
    expect(google.seen.map(({ authorization }) => authorization)).toEqual([
      'Bearer given',
      'Bearer given',
      'Bearer given',
      'Bearer access-1',
      'Bearer access-1',
      'Bearer access-1',
      'Bearer access-2',
    ]);
  });

  it('are not requested again when another call has replaced them', async () => {
    const connection = connect({ credentials: { ...SECRETS, access_token: 'stale' } });
    const waiting: ServerResponse[] = [];
    google.answers.push((response) => waiting.push(response));
    const slow = search(connection);
    await expect.poll(() => waiting.length).toBe(1);
    await search(connection);
    for (const response of waiting) fail(response, 401, 'authError');
    await slow;
    expect(google.tokenForms).toHaveLength(1);
  });

  it('are requested once more at most: a refused new token fails the call', async () => {
    google.answers.push(...Array.from({ length: 2 }, () => (r: ServerResponse) => fail(r, 401, 'authError')));
    const refusal = { code: BAD, message: 'The drive refused the connection’s credentials' };
    expect(await refusalOf(search())).toEqual(refusal);
    expect(google.seen).toHaveLength(2);
    expect(google.tokenForms).toHaveLength(2);
    const alone = connect({ credentials: { access_token: 'stale' } });
    expect(await refusalOf(search(alone))).toEqual(refusal);
    expect(await refusalOf(search(alone))).toEqual(refusal);
  });

  it('a refused refresh fails at once; the next request tries again', async () => {
    google.tokenAnswers.push((response) =>
      reply(response, 400, { error: 'invalid_grant', error_description: 'the provider’s own words' }),
    );
    const refusal = { code: BAD, message: 'The drive refused the connection’s credentials' };
    expect(await refusalOf(search())).toEqual(refusal);
    expect(google.tokenForms).toHaveLength(1);
    expect(google.seen).toEqual([]);
    expect(await search()).toEqual([]);
  });

  it('a sign-in that is down is retried', async () => {
    google.tokenAnswers.push((response) => fail(response, 503, 'backendError'));
    expect(await search()).toEqual([]);
    expect(google.tokenForms).toHaveLength(2);
  });

  it('a token response without a JSON content type works', async () => {
    google.tokens.add('plain');
    google.tokenAnswers.push((response) => response.end('{"access_token":"plain","expires_in":3599}'));
    expect(await search()).toEqual([]);
    expect(google.seen.at(-1)?.authorization).toBe('Bearer plain');
  });

  it.each([
    ['{}'],
    ['[]'],
    ['null'],
    ['<html>'],
    ['{"access_token":5,"expires_in":3599}'],
    ['{"access_token":"a\\nb","expires_in":3599}'],
  ])('a sign-in that answers %s gives no token', async (body) => {
    google.tokenAnswers.push((response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    );
    const { code, message } = await refusalOf(search());
    expect([code, message]).toEqual([BAD, 'The drive’s sign-in gave no token']);
    expect(await search()).toEqual([]);
  });

  it('an endless token response is aborted and retried', async () => {
    let written = 0;
    google.tokenAnswers.push((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const spaces = Buffer.alloc(MIB, ' ');
      const write = () => {
        written++;
        // More than socket buffers hold, but sent long before the timeout.
        if (written < 100) response.write(spaces, () => !response.destroyed && write());
        else response.end('{"access_token":"late","expires_in":3599}');
      };
      write();
    });
    google.tokens.add('late');
    expect(await search()).toEqual([]);
    expect(google.tokenForms).toHaveLength(2);
    expect(written).toBeLessThan(100);
  });

  it.each([
    [{}],
    [{ ...SECRETS, refresh_token: 1 }],
    [{ refresh_token: 'x' }],
    [{ ...SECRETS, client_secret: '' }],
  ])('incomplete credentials are refused: %j', async (credentials) => {
    expect(await refusalOf(search(connect({ credentials })))).toEqual({
      code: BAD,
      message: 'The connection’s credentials are not complete',
    });
  });

  it('addresses in the credentials are ignored', async () => {
    const elsewhere = 'http://127.0.0.1:1';
    const credentials = {
      ...SECRETS,
      token_uri: elsewhere,
      base_url: elsewhere,
      universe_domain: 'evil.invalid',
    };
    expect(await search(connect({ credentials }))).toEqual([]);
  });
});

describe('failures', () => {
  it('429 is retried after its Retry-After', async () => {
    times(1, (response) => {
      response.setHeader('retry-after', '1');
      fail(response, 429, 'rateLimitExceeded');
    });
    const before = performance.now();
    expect(await search()).toEqual([]);
    expect(performance.now() - before).toBeGreaterThan(990);
    expect(google.seen).toHaveLength(2);
  });

  it('429 with too long a Retry-After fails at once', async () => {
    times(1, (response) => {
      response.setHeader('retry-after', '11');
      fail(response, 429, 'rateLimitExceeded');
    });
    expect(await refusalOf(search())).toEqual({ code: BAD, message: 'The drive answered 429' });
    expect(google.seen).toHaveLength(1);
  });

  it('500 gets three attempts', async () => {
    times(3, (response) => fail(response, 500, 'backendError'));
    expect(await refusalOf(search())).toEqual({ code: BAD, message: 'The drive answered 500' });
    expect(google.seen).toHaveLength(3);
  });

  it.each(['rateLimitExceeded', 'userRateLimitExceeded'])('403 with %s is retried', async (reason) => {
    times(1, (response) => fail(response, 403, reason));
    expect(await search()).toEqual([]);
  });

  it.each([
    [403, 'insufficientFilePermissions'],
    [400, 'invalid'],
    [304, ''],
  ])('%i fails at once', async (status, reason) => {
    times(1, (response) => (status === 304 ? response.writeHead(304).end() : fail(response, status, reason)));
    expect(await refusalOf(search())).toEqual({ code: BAD, message: `The drive answered ${status}` });
    expect(google.seen).toHaveLength(1);
  });

  it('an unknown folder is not found', async () => {
    const missing = { code: 'not_found', message: 'Folder not found' };
    times(2, (response) => fail(response, 404, 'notFound'));
    expect(await refusalOf(drive.search(connect(), { folder_id: 'f', max_results: 1 }))).toEqual(missing);
    expect(await refusalOf(search(connect({ folder_ids: ['f'] })))).toEqual(missing);
  });

  it('404 to a search without a folder is a bad gateway', async () => {
    times(1, (response) => fail(response, 404, 'notFound'));
    expect(await refusalOf(search())).toEqual({ code: BAD, message: 'The drive answered 404' });
  });

  it('a redirect is refused, and its target gets no token', async () => {
    const other = new FakeGoogle();
    const location = await other.start();
    times(1, (response) => response.writeHead(302, { location }).end());
    expect(await refusalOf(search())).toEqual({ code: BAD, message: 'The drive answered 302' });
    google.tokens.clear();
    google.tokenAnswers.push((response) => response.writeHead(307, { location: `${location}/token` }).end());
    expect(await refusalOf(search())).toMatchObject({ code: BAD });
    expect([other.seen, other.tokenForms]).toEqual([[], []]);
    await other.stop();
  });

  it.each(['nothing', 'half a body'])('a drive that answers %s and then hangs times out', async (what) => {
    drive = new GoogleDrive({ base_url, token_url: `${base_url}/token`, timeoutMs: 300 });
    google.tokens.add('given');
    times(3, (response) => what === 'nothing' || response.writeHead(200).write('{"files":'));
    // A sign-in could take the whole time.
    const connection = connect({ credentials: { ...SECRETS, access_token: 'given' } });
    expect(await refusalOf(search(connection))).toEqual({ code: BAD, message: 'The drive did not answer' });
    expect(google.seen.length).toBeLessThanOrEqual(1);
  });

  it('a sign-in that never answers times out', async () => {
    drive = new GoogleDrive({ base_url, token_url: `${base_url}/token`, timeoutMs: 300 });
    google.tokenAnswers.push(() => {});
    expect(await refusalOf(search())).toEqual({ code: BAD, message: 'The drive’s sign-in did not answer' });
    expect(google.tokenForms.length).toBeLessThanOrEqual(1);
  });

  it('an incomplete body is retried, not returned', async () => {
    google.files = [fileOf('a', { content: 'whole' })];
    google.tokens.add('access-1');
    google.answers.push((response) => reply(response, 200, fileOf('a')), half);
    expect(await drive.read(connect(), 'a')).toMatchObject({ content: 'whole' });
    google.answers.push((response) => reply(response, 200, fileOf('a')), half, half, half);
    expect(await refusalOf(drive.read(connect(), 'a'))).toMatchObject({ code: BAD });
  });

  it('a refused connection is retried, then reported', async () => {
    await search();
    drive = new GoogleDrive({
      base_url: 'http://127.0.0.1:1',
      token_url: `${base_url}/token`,
      firstRetryMs: 10,
    });
    expect(await refusalOf(search())).toEqual({ code: BAD, message: 'The drive did not answer' });
  });

  it.each(['<html>', 'null', '[]', '"x"', '{"files":{}}', '{"files":[{}]}', '{"files":[null]}', ''])(
    'a response of %j is not understood',
    async (body) => {
      times(1, (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(body));
      expect(await refusalOf(search())).toEqual({
        code: BAD,
        message: 'The drive’s response is not understood',
      });
      expect(google.seen).toHaveLength(1);
    },
  );

  it('a base URL may have a path', async () => {
    drive = new GoogleDrive({ base_url: `${base_url}/google`, token_url: `${base_url}/token` });
    await search();
    expect(google.seen[0]?.path).toBe('/google/drive/v3/files');
  });
});

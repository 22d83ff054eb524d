import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Drives } from '../../src/adapters/drive/drives.ts';
import { FilesystemDrive } from '../../src/adapters/drive/filesystem-drive.ts';
import type { DriveConnection, DriveSearch } from '../../src/drive/drive.port.ts';
import { ServiceError, ValidationError } from '../../src/platform/errors.ts';

const MIB = 1024 * 1024;

let directory: string;
let filesystemRoot: string;
let tenant_id: string;
let root: string;
let drive: FilesystemDrive;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'acp-drive-'));
  filesystemRoot = join(directory, 'drive');
  tenant_id = randomUUID();
  root = join(filesystemRoot, tenant_id, 'docs');
  drive = new FilesystemDrive(filesystemRoot);
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const connect = (overrides: Partial<DriveConnection> = {}): DriveConnection => ({
  id: 'connection-1',
  tenant_id,
  provider: 'filesystem',
  credentials: { root: 'docs' },
  folder_ids: undefined,
  ...overrides,
});

async function write(path: string, content: string | Buffer = path): Promise<void> {
  const target = join(root, path);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, content);
}
const search = (overrides: Partial<DriveSearch> = {}, connection = connect()) =>
  drive.search(connection, { max_results: 100, ...overrides });
const names = async (...args: Parameters<typeof search>) => (await search(...args)).map(({ name }) => name);
const read = (id: string, connection = connect()) => drive.read(connection, id);
async function idOf(name: string): Promise<string> {
  return (
    (await search()).find((file) => file.name === name)?.id ?? expect.unreachable(`${name} is not found`)
  );
}
const folderOf = async (name: string) => (await search({ query: name }))[0]?.folder_id ?? '';
/** In the drive's own format. */
const idFor = (path: string) => Buffer.from(`/${path}`).toString('base64url');

async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(() => undefined).catch((error: unknown) => error);
  if (!(error instanceof ServiceError)) throw new Error('It was not refused', { cause: error });
  expect(`${error.message} ${JSON.stringify(error)}`).not.toContain(directory);
  expect(error.cause).toBeUndefined();
  return `${error.code}: ${error.message}`;
}
const FILE_MISSING = 'not_found: File not found';
const FOLDER_MISSING = 'not_found: Folder not found';
const BAD_ROOT = 'bad_gateway: The connection’s root is not a folder below the drive’s';

describe('root', () => {
  it('is created when missing, mode 0700, below the tenant’s folder', async () => {
    expect(await search({}, connect({ credentials: { root: 'docs/2026' } }))).toEqual([]);
    for (const path of [filesystemRoot, join(filesystemRoot, tenant_id), root, join(root, '2026')]) {
      expect((await stat(path)).mode & 0o777).toBe(0o700);
    }
    await write('../one.txt');
    expect(await names({}, connect({ credentials: { root: '' } }))).toEqual(['one.txt']);
    expect(await names({}, connect({ credentials: { root: './docs/' } }))).toEqual([]);
    expect(await names({}, connect({ credentials: { root: '' }, tenant_id: randomUUID() }))).toEqual([]);
  });

  it.each(['..', '../other', 'a/../..', 'docs/..', '/etc', '/', 'a\0b', 'x'.repeat(300)])(
    'is refused when it is %j',
    async (path) => {
      await mkdir(join(filesystemRoot, tenant_id), { recursive: true });
      const connection = connect({ credentials: { root: path } });
      expect(await refusalOf(search({}, connection))).toBe(BAD_ROOT);
      expect(await refusalOf(read(idFor('passwd'), connection))).toBe(BAD_ROOT);
    },
  );

  it('is refused behind a link, without creating anything there, and when it is a file', async () => {
    const outside = join(directory, 'outside');
    await mkdir(outside);
    await write('file');
    await symlink(outside, join(root, 'link'));
    for (const path of ['docs/link', 'docs/link/new', 'docs/file', 'docs/file/new']) {
      expect(await refusalOf(search({}, connect({ credentials: { root: path } })))).toBe(BAD_ROOT);
    }
    await expect(stat(join(outside, 'new'))).rejects.toThrow('ENOENT');
  });

  it('is refused when missing from the credentials', async () => {
    for (const credentials of [{}, { root: 1 }, { root: null }]) {
      expect(await refusalOf(search({}, connect({ credentials })))).toContain('not complete');
    }
  });

  it('DRIVE_FILESYSTEM_ROOT may be a link; an error names it when it is not a folder', async () => {
    await mkdir(filesystemRoot);
    await write('a.txt');
    const link = join(directory, 'link');
    await symlink(filesystemRoot, link);
    drive = new FilesystemDrive(link);
    expect(await read(await idOf('a.txt'))).toMatchObject({ content: 'a.txt' });
    const google = { base_url: 'http://google.invalid', token_url: 'http://google.invalid/token' };
    const opening = Drives.open({ google, filesystem_root: join(root, 'a.txt') });
    await expect(opening).rejects.toThrow(/^DRIVE_FILESYSTEM_ROOT cannot be a folder: E\w+$/);
  });
});

describe('search', () => {
  it('describes files, nearest to the root first', async () => {
    await write('Ämter/Plan.PDF', 'x'.repeat(12));
    await write('b.txt');
    await write('a.unknown');
    const at = new Date('2026-01-31T09:30:00.000Z');
    await utimes(join(root, 'Ämter/Plan.PDF'), at, at);
    const [a, b, plan, ...others] = await search();
    expect(others).toEqual([]);
    expect([a?.name, a?.mime_type, b?.name, b?.mime_type]).toEqual([
      'a.unknown',
      'application/octet-stream',
      'b.txt',
      'text/plain',
    ]);
    expect(a?.folder_id).toBe(b?.folder_id);
    expect(plan).toEqual({
      id: expect.stringMatching(/^[\w-]+$/),
      name: 'Plan.PDF',
      mime_type: 'application/pdf',
      size: 12,
      modified_at: at.toISOString(),
      folder_id: expect.stringMatching(/^[\w-]+$/),
      web_url: null,
    });
    expect(plan?.folder_id).not.toBe(a?.folder_id);
  });

  it('matches part of a name in any case and Unicode form, and the MIME type', async () => {
    for (const name of ['Preisliste Größe.txt', 'cafe\u0301.md', 'x.TXT', '100%.csv', 'a*b.txt'])
      await write(name);
    expect(await names({ query: 'LISTE GRÖ' })).toEqual(['Preisliste Größe.txt']);
    expect(await names({ query: 'caf\u00e9' })).toEqual(['cafe\u0301.md']);
    expect(await names({ query: '*' })).toEqual(['a*b.txt']);
    expect(await names({ query: '%' })).toEqual(['100%.csv']);
    expect(await names({ query: '.' })).toHaveLength(5);
    expect(await names({ mime_type: 'TEXT/plain' })).toEqual(['Preisliste Größe.txt', 'a*b.txt', 'x.TXT']);
    expect(await names({ mime_type: 'text/plain', query: 'x.' })).toEqual(['x.TXT']);
    expect(await names({ max_results: 2 })).toEqual(['100%.csv', 'Preisliste Größe.txt']);
  });

  it('in a folder is not recursive', async () => {
    for (const path of ['a.txt', 'one/b.txt', 'one/two/c.txt']) await write(path);
    expect(await names({ folder_id: await folderOf('a.txt') })).toEqual(['a.txt']);
    expect(await names({ folder_id: await folderOf('b.txt') })).toEqual(['b.txt']);
    expect(await names({ folder_id: await folderOf('c.txt') })).toEqual(['c.txt']);
    expect(await names()).toEqual(['a.txt', 'b.txt', 'c.txt']);
    for (const id of ['x', idFor('gone'), idFor('a.txt'), idFor('..'), idFor('one/..'), 'root', '%']) {
      expect(await refusalOf(search({ folder_id: id }))).toBe(FOLDER_MISSING);
    }
  });

  it('leaves out hidden files, links, pipes and folders', async () => {
    const outside = join(directory, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'secret.txt'), 'secret');
    await write('.hidden');
    await write('.git/config');
    await write('seen.txt');
    await symlink(outside, join(root, 'folder-link'));
    await symlink(join(outside, 'secret.txt'), join(root, 'link.txt'));
    await symlink(join(root, 'seen.txt'), join(root, 'inner-link.txt'));
    execFileSync('mkfifo', [join(root, 'pipe.txt')]);
    expect(await names()).toEqual(['seen.txt']);
    expect(await refusalOf(search({ folder_id: idFor('folder-link') }))).toBe(FOLDER_MISSING);
    expect(await refusalOf(search({ folder_id: idFor('.git') }))).toBe(FOLDER_MISSING);
  });

  it('stops at a maximum depth', async () => {
    await write(`${'d/'.repeat(40)}deep.txt`);
    await write(`${'d/'.repeat(31)}less.txt`);
    expect(await names()).toEqual(['less.txt']);
  });

  it('stays within the folders that the connection is limited to', async () => {
    for (const path of ['a.txt', 'one/b.txt', 'one/two/c.txt', 'three/d.txt']) await write(path);
    const limited = connect({ folder_ids: [idFor('one'), idFor('three'), idFor('gone'), 'x'] });
    expect(await names({}, limited)).toEqual(['b.txt', 'd.txt']);
    expect(await names({ folder_id: idFor('three') }, limited)).toEqual(['d.txt']);
    expect(await refusalOf(search({ folder_id: idFor('one/two') }, limited))).toBe(FOLDER_MISSING);
    expect(await read(idFor('one/b.txt'), limited)).toMatchObject({ content: 'one/b.txt' });
    for (const path of ['a.txt', 'one/two/c.txt']) {
      expect(await refusalOf(read(idFor(path), limited))).toBe(FILE_MISSING);
    }
    const none = connect({ folder_ids: [] });
    expect(await names({}, none)).toEqual([]);
    expect(await refusalOf(search({ folder_id: idFor('one') }, none))).toBe(FOLDER_MISSING);
    expect(await refusalOf(read(idFor('one/b.txt'), none))).toBe(FILE_MISSING);
  });
});

describe('read', () => {
  it('returns text as it is, and other bytes as base64', async () => {
    const bytes = Buffer.from([0xff, 0xd8, 0x00]);
    await write('häuser/日本語 😀.txt', 'grün\r\n');
    await write('b.jpg', bytes);
    await write('empty.md', '');
    const id = await idOf('日本語 😀.txt');
    expect(await read(id)).toEqual({
      id,
      name: '日本語 😀.txt',
      mime_type: 'text/plain',
      size: 7,
      encoding: 'utf-8',
      content: 'grün\r\n',
    });
    expect(await read(await idOf('b.jpg'))).toMatchObject({
      mime_type: 'image/jpeg',
      size: 3,
      encoding: 'base64',
      content: bytes.toString('base64'),
    });
    expect(await read(await idOf('empty.md'))).toMatchObject({ size: 0, encoding: 'utf-8', content: '' });
  });

  it('returns 10 MiB, and refuses one byte more', async () => {
    await write('a.txt', Buffer.alloc(10 * MIB, 'x'));
    await write('b.txt', Buffer.alloc(10 * MIB + 1, 'x'));
    expect(await read(await idOf('a.txt'))).toMatchObject({ size: 10 * MIB });
    expect(await refusalOf(read(await idOf('b.txt')))).toBe(
      'payload_too_large: The file is larger than 10 MiB',
    );
  });

  it('finds only regular files below the root', async () => {
    const outside = join(directory, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'secret.txt'), 'secret');
    await write('a.txt');
    await write('.hidden');
    await write('folder/.git/config');
    await write('../sibling.txt');
    await symlink(outside, join(root, 'folder-link'));
    await write('../docs-of-others/secret.txt');
    await symlink(join(root, '../docs-of-others'), join(root, 'others-link'));
    await symlink(join(outside, 'secret.txt'), join(root, 'link.txt'));
    await symlink(join(root, 'a.txt'), join(root, 'inner-link.txt'));
    execFileSync('mkfifo', [join(root, 'pipe.txt')]);
    const paths = [
      'gone.txt',
      'a.txt/b',
      '../sibling.txt',
      'folder/../a.txt',
      './a.txt',
      '/a.txt',
      'a.txt/',
      '../../../outside/secret.txt',
      '/etc/passwd',
      'folder-link/secret.txt',
      'others-link/secret.txt',
      'link.txt',
      'inner-link.txt',
      'pipe.txt',
      '.hidden',
      'folder/.git/config',
      'a.txt\0',
      'x'.repeat(5000),
    ];
    for (const path of paths) expect(await refusalOf(read(idFor(path))), path).toBe(FILE_MISSING);
    const ids = [
      'a.txt',
      '',
      '.',
      '..',
      `${idFor('a.txt')}=`,
      `${idFor('a.txt')}A`,
      '_w',
      '../a.txt',
      '/etc/passwd',
    ];
    for (const id of ids) expect(await refusalOf(read(id)), id).toBe(FILE_MISSING);
    await expect(read(idFor('folder'))).rejects.toThrow(ValidationError);
    await expect(read(idFor(''))).rejects.toThrow(ValidationError);
  });

  it('stays below the root while folders and links are swapped', async () => {
    const outside = join(directory, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'a.txt'), 'secret');
    await write('folder/a.txt', 'inside');
    await symlink(outside, join(root, 'link'));
    const [folder, link, spare] = ['folder', 'link', 'spare'].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ];
    const over = new AbortController();
    const exchange = async () => {
      while (!over.signal.aborted) {
        await rename(folder, spare);
        await rename(link, folder);
        await rename(folder, link);
        await rename(spare, folder);
      }
    };
    const exchanging = exchange();
    const seen = new Set<string>();
    for (let tries = 0; tries < 400 || seen.size < 2; tries++) {
      const work = read(idFor('folder/a.txt')).then(({ content }) => content);
      seen.add(await work.catch((error: unknown) => (error as Error).message));
      const found = await search({ query: 'a.txt' });
      expect(found.every(({ size }) => size === 6)).toBe(true);
    }
    over.abort();
    await exchanging;
    expect([...seen].toSorted()).toEqual(['File not found', 'inside']);
  });

  it('closes every file that it opens, as search does', async () => {
    await write('folder/a.txt');
    await symlink(join(root, 'folder'), join(root, 'link'));
    expect(await names({ max_results: 1 })).toEqual(['a.txt']);
    expect(await names({ query: 'b' })).toEqual([]);
    expect(await read(idFor('folder/a.txt'))).toMatchObject({ content: 'folder/a.txt' });
    await expect(read(idFor('folder'))).rejects.toThrow(ValidationError);
    expect(await refusalOf(read(idFor('link/a.txt')))).toBe(FILE_MISSING);
    const open = (await readdir('/proc/self/fd')).map((fd) =>
      readlink(`/proc/self/fd/${fd}`).catch(() => ''),
    );
    expect((await Promise.all(open)).filter((path) => path.startsWith(directory))).toEqual([]);
  });

  it('looks for the id of another tenant’s file in its own folder', async () => {
    await write('a.txt', 'mine');
    const other = connect({ tenant_id: randomUUID() });
    expect(await refusalOf(read(await idOf('a.txt'), other))).toBe(FILE_MISSING);
  });

  it.skipIf(process.getuid?.() === 0)('reports an unreadable file without its path', async () => {
    await write('a.txt');
    await chmod(join(root, 'a.txt'), 0);
    expect(await refusalOf(read(idFor('a.txt')))).toBe('bad_gateway: The drive cannot be read');
  });
});

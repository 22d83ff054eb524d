import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PAGE_PATHS } from '../../src/dashboard/page-paths.ts';
import { readPages } from '../../src/platform/http/pages.ts';
import { startTestService, type TestService } from '../support/service.ts';

const HTML = '<!doctype html><title>Pages</title>';
const SCRIPT = 'export {};\n'.repeat(100);
const ID = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a01';

let service: TestService;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'acp-pages-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), HTML);
  await writeFile(join(folder, 'assets/index-1a2b.js'), SCRIPT);
  await writeFile(join(folder, 'assets/index-1a2b.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(folder, 'assets/index-1a2b.js.gz'), gzipSync(SCRIPT));
  await writeFile(join(folder, '.inputs'), 'not for anybody');
  service = await startTestService({ runsJobs: false, pages: await readPages(folder, PAGE_PATHS) });
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

/** Without decompression. */
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(service.base_url + path, { headers, redirect: 'manual' });

it.each(['/', '/sign-in', '/customers', `/customers/${ID}/staff`, `/recipes/${ID}/revisions/3`])(
  'serves the document at %s',
  async (path) => {
    const answer = await get(path);
    expect([answer.status, await answer.text()]).toEqual([200, HTML]);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'; require-trusted-types-for 'script'");
    expect(policy).not.toContain('unsafe');
    const again = await get(path, { 'if-none-match': answer.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
  },
);

it.each([
  '/customers/',
  '/nowhere',
  `/customers/${ID}`,
  `/customers/${ID}/secrets`,
  '/index.html',
  '/.inputs',
])('answers %s as any unknown address', async (path) => {
  const answer = await get(path, { accept: 'text/html' });
  expect([answer.status, await answer.json()]).toEqual([404, { detail: expect.any(String) }]);
});

it('takes nothing but reads', async () => {
  const answer = await fetch(`${service.base_url}/customers`, { method: 'POST' });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, expect.stringContaining('GET')]);
  const head = await fetch(`${service.base_url}/customers`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

it.each([
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['identity', null],
])('sends files packed for who accepts %s', async (accepted, encoding) => {
  const answer = await get('/assets/index-1a2b.js', { 'accept-encoding': accepted });
  expect(answer.headers.get('content-encoding')).toBe(encoding);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(answer.headers.get('vary')).toContain('accept-encoding');
  expect(await answer.text()).toBe(SCRIPT);
});

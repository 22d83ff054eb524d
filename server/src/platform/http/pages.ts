import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { etagOf, isKnown } from './etag.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Names have a hash of the content. */
const FOR_EVER = 'public, max-age=31536000, immutable';
const ASK_AGAIN = 'no-cache';
/** Nothing inline, nothing of others; blob: shows the pictures of senders, which are fetched with the access token. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  'media-src blob:',
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const ENCODINGS = ['br', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number];
const ENDINGS: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

interface File {
  type: string;
  etag: string;
  bytes: Buffer;
  encoded: Partial<Record<Encoding, Buffer>>;
}

/** Pages that a browser runs: one document at many addresses, and its files. */
export interface Pages {
  /** Addresses of the document, with parameters in braces. */
  paths: readonly string[];
  files: ReadonlyMap<string, File>;
}

/** Reads a built folder into memory; undefined where nothing was built. Its `index.html` is the document. */
export async function readPages(folder: string, paths: readonly string[]): Promise<Pages | undefined> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = new Map<string, File>();
  for (const entry of entries) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(`/${relative(folder, path)}`, await readFileOf(path, type));
  }
  return files.has('/index.html') ? { paths, files } : undefined;
}

async function readFileOf(path: string, type: string): Promise<File> {
  const bytes = await readFile(path);
  const encoded: File['encoded'] = {};
  for (const encoding of ENCODINGS) {
    const packed = await readFile(path + ENDINGS[encoding]).catch(() => undefined);
    if (packed) encoded[encoding] = packed;
  }
  return { type, etag: etagOf(createHash('sha256').update(bytes).digest()), bytes, encoded };
}

/** For the check of unknown addresses. */
export const pagesServed = (pages: Pages | undefined) =>
  pages === undefined
    ? []
    : [...pages.paths, ...pages.files.keys()]
        .filter((path) => path !== '/index.html')
        .map((path) => ({ method: 'GET' as const, path }));

export function registerPages(app: FastifyInstance, pages: Pages | undefined): void {
  const document = pages?.files.get('/index.html');
  if (!pages || !document) return;
  const show = (request: FastifyRequest, reply: FastifyReply) =>
    send(request, reply.header('content-security-policy', POLICY), document, ASK_AGAIN);
  for (const path of pages.paths) app.get(path.replaceAll(/\{(\w+)\}/g, ':$1'), show);
  for (const [path, file] of pages.files) {
    if (path === '/index.html') continue;
    const caching = path.startsWith('/assets/') ? FOR_EVER : ASK_AGAIN;
    app.get(path, (request, reply) => send(request, reply, file, caching));
  }
}

function send(request: FastifyRequest, reply: FastifyReply, file: File, caching: string): FastifyReply {
  void reply.headers({ etag: file.etag, 'cache-control': caching, vary: 'accept-encoding' });
  if (isKnown(request.headers['if-none-match'], file.etag)) return reply.code(304).send();
  const accepted = request.headers['accept-encoding']?.toString() ?? '';
  const encoding = ENCODINGS.find((each) => file.encoded[each] && new RegExp(`\\b${each}\\b`).test(accepted));
  if (encoding) void reply.header('content-encoding', encoding);
  return reply.type(file.type).send(encoding ? file.encoded[encoding] : file.bytes);
}

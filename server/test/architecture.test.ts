import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Import {
  from: string;
  /** Relative to src, or a package's name. */
  to: string;
  typeOnly: boolean;
  /** Only once somebody needs it. */
  late: boolean;
}

const SRC = join(import.meta.dirname, '../src');
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .toSorted();
const textOf: ReadonlyMap<string, string> = new Map(
  files.map((file) => [file, readFileSync(join(SRC, file), 'utf8')]),
);

const IMPORT = /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm;

const imports: Import[] = [...textOf].flatMap(([from, text]) =>
  [...text.matchAll(IMPORT)].map(([, type, name, dynamic]) => {
    const target = name ?? dynamic ?? '';
    const to = target.startsWith('.') ? normalize(join(dirname(from), target)) : target;
    return { from, to, typeOnly: type !== undefined, late: dynamic !== undefined };
  }),
);
const own = imports.filter(({ to }) => textOf.has(to));

/** A room of src, or the file itself where it stands in none. */
const roomOf = (file: string) => file.split('/')[0] ?? file;

const jsonFiles = ['json-text.ts', 'json-list.ts', 'json-object.ts'];

/** Whom each room may know (CONTRIBUTING, "The floor plan"). Its own files go without saying. */
const rooms: Record<string, readonly string[]> = {
  contract: jsonFiles,
  'errors.ts': [],
  'json-text.ts': [],
  'json-list.ts': [],
  'json-object.ts': [],
  'actor.ts': [],
  'addresses.ts': ['domain/ports.ts'],
  'semaphore.ts': [],
  'setting-values.ts': ['addresses.ts'],
  'config.ts': ['setting-values.ts', 'addresses.ts', 'domain/ports.ts'],
  'metrics.ts': [],
  'logger.ts': [],
  db: [...jsonFiles, 'contract', 'errors.ts', 'actor.ts'],
  domain: [...jsonFiles, 'db', 'contract', 'errors.ts', 'actor.ts', 'metrics.ts', 'semaphore.ts'],
  http: [...jsonFiles, 'domain', 'db', 'contract', 'errors.ts', 'actor.ts', 'metrics.ts', 'semaphore.ts'],
  jobs: ['domain', 'db', 'contract', 'errors.ts', 'actor.ts'],
  mcp: [...jsonFiles, 'http', 'domain', 'db', 'contract', 'errors.ts', 'actor.ts', 'metrics.ts'],
  adapters: ['domain/ports.ts', 'errors.ts', 'config.ts', 'setting-values.ts', 'semaphore.ts'],
  'service.ts': ['http', 'jobs', 'mcp', 'domain', 'db', 'contract', 'metrics.ts', 'errors.ts'],
  'start.ts': ['service.ts', 'adapters', 'domain', 'db', 'config.ts', 'logger.ts', 'errors.ts'],
  'main.ts': ['start.ts', 'config.ts'],
  'openapi-file.ts': ['contract'],
};

const line = ({ from, to }: Import) => `${from} → ${to}`;

describe('imports', () => {
  it('are seen at all', () => {
    expect(own.length).toBeGreaterThan(100);
    expect(imports.filter(({ to }) => to.startsWith('.')).map(line)).toEqual([]);
  });

  it('know every room', () => {
    const unknown = new Set(files.map(roomOf).filter((room) => rooms[room] === undefined));
    expect([...unknown], 'Say in `rooms` whom the new room may know').toEqual([]);
  });

  it.each(Object.entries(rooms))('of %s go down only: to %j', (room, below) => {
    const up = own.filter(
      ({ from, to }) =>
        roomOf(from) === room && roomOf(to) !== room && !below.includes(roomOf(to)) && !below.includes(to),
    );
    expect(up.map(line), `${room} must not know these rooms (CONTRIBUTING, "The floor plan")`).toEqual([]);
  });

  it('run in no circle', () => {
    expect(circles(), 'Move what both need into a file of its own').toEqual([]);
  });

  it('go through no barrel but the two lists', () => {
    const barrels = files.filter((file) => /(^|\/)index\.ts$/.test(file));
    // jobs/index.ts lists the jobs as the other two list operations and handlers.
    expect(barrels).toEqual(['contract/index.ts', 'http/index.ts', 'jobs/index.ts']);
  });

  it('of network clients and child processes stand in adapters alone', () => {
    // http and db hold the two protocols that the service itself speaks: HTTP as a server, and PostgreSQL.
    const clients =
      /^(node:)?(child_process|net|tls|http|https|http2|dgram|dns)(\/promises)?$|^(undici|openai|googleapis)/;
    const allowed = new Set([
      'addresses.ts → node:net',
      'http/client-addresses.ts → node:net',
      'http/client-errors.ts → node:net',
      'http/client-errors.ts → node:http',
      'http/mtls-listener.ts → node:https',
    ]);
    const found = imports
      .filter(({ from, to, typeOnly }) => roomOf(from) !== 'adapters' && clients.test(to) && !typeOnly)
      .map(line)
      .filter((text) => !allowed.has(text));
    expect(found, 'What talks to the outside implements a port, in adapters').toEqual([]);
    const fetching = sourceLines(/(?<![.\w])fetch\(/).filter((text) => !text.startsWith('adapters/'));
    expect(fetching, 'What talks to the outside implements a port, in adapters').toEqual([]);
  });

  it('of PostgreSQL’s driver stand in db alone, but for the one map of errors', () => {
    const found = imports.filter(({ from, to }) => to === 'pg' && !['db', 'adapters'].includes(roomOf(from)));
    expect(found.map(line)).toEqual(['http/errors.ts → pg']);
  });

  it('load at the start no library that not every process needs, and of others what is used', () => {
    // Each keeps up to 8 MB of heap.
    const kept = new Map([
      ['@modelcontextprotocol/server', 'mcp/endpoint.ts loads it with the first request'],
      ['@redis/client', 'start.ts loads it where there is a Redis'],
      ['jose', 'Import jose/jwt/… or another part of it'],
      ['openai', 'start.ts loads it where there is a model'],
    ]);
    const loaded = reachedFrom('main.ts').filter(({ to }) => kept.has(to));
    expect(loaded.map((one) => `${line(one)}: ${kept.get(one.to)}`)).toEqual([]);
  });

  it('name the file, with its ending', () => {
    const bare = [...textOf].flatMap(([from, text]) =>
      [...text.matchAll(IMPORT)]
        .map((match) => match[2] ?? '')
        .filter((name) => name.startsWith('.') && !name.endsWith('.ts'))
        .map((name) => `${from} → ${name}`),
    );
    expect(bare).toEqual([]);
  });
});

/** What is imported when a file is, by itself and by all that it imports. */
function reachedFrom(start: string): Import[] {
  const found: Import[] = [];
  const seen = new Set([start]);
  for (const file of seen) {
    const now = imports.filter(({ from, typeOnly, late }) => from === file && !typeOnly && !late);
    found.push(...now);
    for (const { to } of now) seen.add(to);
  }
  return found;
}

/** Each circle of imports once, as a path. */
function circles(): string[] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of own) targets.set(from, [...(targets.get(from) ?? []), to]);
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) {
      found.push([...path.slice(path.indexOf(file)), file].join(' → '));
      return;
    }
    if (done.has(file)) return;
    for (const target of targets.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  return found;
}

/** Lines of the source that match, as file:number: text. */
function sourceLines(pattern: RegExp): string[] {
  return [...textOf].flatMap(([file, text]) =>
    text
      .split('\n')
      .map((content, index) => ({ content, at: `${file}:${index + 1}: ${content.trim()}` }))
      .filter(({ content }) => pattern.test(content))
      .map(({ at }) => at),
  );
}

/** What a file hands on is not a use of it. */
const withoutReExports = (text: string) => text.replaceAll(/^export \{[^}]*\} from .*$/gm, '');

const isCode = (at: string) => !/^\S+:\d+: (\*|\/\/|\/\*)/.test(at);

describe('the source', () => {
  it('reads the environment in config.ts and main.ts alone', () => {
    // What a child process inherits, such as PATH, is no setting of ours.
    const allowed = /^(config\.ts|main\.ts|adapters\/process-engine\/spawn\.ts):/;
    const found = sourceLines(/process\.env|import\.meta\.env/).filter((text) => !allowed.test(text));
    expect(found, 'Pass the setting in from config.ts').toEqual([]);
  });

  it('holds no any', () => {
    expect(sourceLines(/(:|\bas|<|\|)\s*any\b(?!\s+\w)/).filter(isCode), 'Use unknown, and look').toEqual([]);
  });

  it('silences neither the compiler nor the linter', () => {
    const found = sourceLines(
      /@ts-(ignore|expect-error|nocheck)|(eslint|oxlint|biome)-(disable|ignore)|biome-ignore/,
    );
    expect(found, 'Mend what is reported').toEqual([]);
  });

  it('holds no statement that only tests send', () => {
    const unsent = [...textOf].flatMap(([file, text]) => {
      if (roomOf(file) !== 'db') return [];
      const names = [...text.matchAll(/^export (?:async )?(?:const|function) (\w+)/gm)].map(
        ([, name]) => name,
      );
      const others = [...textOf]
        .filter(([other]) => other !== file)
        .map(([, other]) => withoutReExports(other));
      return names.filter((name) => !others.some((other) => new RegExp(`\\b${name}\\b`).test(other)));
    });
    // A directory, which tests read.
    expect(unsent, 'Put it where the tests are, or away').toEqual(['migrationsDirectory']);
  });

  it('leaves nothing for later', () => {
    expect(sourceLines(/\b(TODO|FIXME|XXX|HACK)\b/), 'Do it, or leave it').toEqual([]);
  });

  it('writes to the console nowhere', () => {
    expect(sourceLines(/\bconsole\.\w+\(/), 'Use the logger').toEqual([]);
  });

  it('asks for no certificate in the form that Node never frees on the server’s side', () => {
    const found = sourceLines(/\.getPeerX509Certificate\b|'getPeerX509Certificate'/);
    expect(found, 'Use getPeerCertificate: the other keeps 5 KB for each connection').toEqual([]);
  });

  it('names its files in kebab-case', () => {
    expect(files.filter((file) => !/^([a-z0-9-]+\/)*[a-z0-9-]+\.ts$/.test(file))).toEqual([]);
  });
});

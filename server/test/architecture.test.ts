import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writersOfTables } from './support/table-writers.ts';

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
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
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
const line = ({ from, to }: Import) => `${from} → ${to}`;
const own = imports.filter(({ to }) => textOf.has(to));

/**
 * The rooms from bottom to top. A file imports from its own room and from rooms below it. Files that stand at the top
 * of src wire the rooms together and may know all of them.
 */
const ROOMS = [
  'platform',
  'secrets',
  'catalogue',
  'access',
  'events',
  'customers',
  'connections',
  'identities',
  'pins',
  'recipes',
  'workforce',
  'eligibility',
  'instances',
  'certificates',
  'runtimes',
  'provisioning',
  'drive',
  'conversations',
  'models',
  'tools',
  'channels',
  'dialogue',
  'rollouts',
  'redaction',
  'hosting',
  'logs',
  'audit',
  'operating',
  'overview',
  'mcp',
  'jobs',
  'dashboard',
  'adapters',
] as const;

/** The machinery, in the same order within `platform/`. */
const PLATFORM = ['json', 'load', 'contract', 'db', 'queue', 'http'] as const;

const roomOf = (file: string) => (file.includes('/') ? (file.split('/')[0] ?? '') : 'top');
const heightOf = (file: string) => ROOMS.indexOf(roomOf(file) as (typeof ROOMS)[number]);

/** A file's layer is its suffix; rules have none. */
type Layer = 'contract' | 'port' | 'db' | 'rules' | 'http';
const layerOf = (file: string): Layer =>
  (/\.(contract|port|db|http)\.ts$/.exec(file)?.[1] as Layer | undefined) ?? 'rules';

/** The layers that each layer may import from, in its own room and in rooms below. */
const LAYERS: Record<Layer, readonly Layer[]> = {
  contract: ['contract'],
  port: ['contract', 'port'],
  db: ['contract', 'port', 'db'],
  rules: ['contract', 'port', 'db', 'rules'],
  http: ['contract', 'port', 'db', 'rules', 'http'],
};

const isRoom = (file: string) => !['platform', 'top', 'adapters', 'mcp', 'jobs'].includes(roomOf(file));

describe('imports', () => {
  it('are seen at all', () => {
    expect(own.length).toBeGreaterThan(100);
    expect(imports.filter(({ to }) => to.startsWith('.')).map(line)).toEqual([]);
  });

  it('stand in a known room', () => {
    const unknown = new Set(files.filter((file) => roomOf(file) !== 'top' && heightOf(file) < 0).map(roomOf));
    expect([...unknown], 'Add the new room to ROOMS, at its height').toEqual([]);
  });

  it('between rooms go down', () => {
    const up = own.filter(({ from, to }) => roomOf(from) !== 'top' && heightOf(to) > heightOf(from));
    expect(up.map(line), 'A room must not know a room above it: pass in what it needs').toEqual([]);
  });

  it('of a room never name the wiring', () => {
    const found = own.filter(
      ({ from, to }) => !['top', 'adapters'].includes(roomOf(from)) && roomOf(to) === 'top',
    );
    expect(found.map(line), 'Only main, start, service and the list of areas know everything').toEqual([]);
  });

  it('within the platform go down', () => {
    const floorOf = (file: string) => PLATFORM.findIndex((floor) => file.startsWith(`platform/${floor}/`));
    const up = own.filter(({ from, to }) => floorOf(from) >= 0 && floorOf(to) > floorOf(from));
    expect(up.map(line), `The floors of the platform are ${PLATFORM.join(', ')}`).toEqual([]);
  });

  it('between layers go down: http → rules → db → contract', () => {
    const found = own.filter(
      ({ from, to }) =>
        isRoom(from) && roomOf(to) !== 'platform' && !LAYERS[layerOf(from)].includes(layerOf(to)),
    );
    expect(found.map(line), JSON.stringify(LAYERS)).toEqual([]);
  });

  it('of platform floors come from the layers that need them', () => {
    const floors: Record<Layer, RegExp> = {
      contract: /^platform\/(contract|json)\//,
      port: /^platform\/(contract|json|db|[^/]*$)/,
      db: /^platform\/(contract|json|db|queue|[^/]*$)/,
      rules: /^platform\/(contract|json|db|load|queue|[^/]*$)/,
      http: /^platform\//,
    };
    const found = own.filter(
      ({ from, to }) => isRoom(from) && roomOf(to) === 'platform' && !floors[layerOf(from)].test(to),
    );
    expect(found.map(line), 'Only handlers know HTTP, only statements and rules know the database').toEqual(
      [],
    );
  });

  it('of handlers name no handler of another room', () => {
    const found = own.filter(
      ({ from, to }) => to.endsWith('.http.ts') && isRoom(from) && roomOf(from) !== roomOf(to),
    );
    expect(found.map(line), 'Move what both need into a rule').toEqual([]);
  });

  it('of adapters are ports and machinery', () => {
    const found = own.filter(
      ({ from, to }) =>
        roomOf(from) === 'adapters' && !/^(adapters|platform|config\.ts)/.test(to) && layerOf(to) !== 'port',
    );
    expect(found.map(line), 'An adapter implements a port and knows nothing of the rooms').toEqual([]);
  });

  it('run in no circle', () => {
    expect(circles(), 'Move what both need into a file of its own').toEqual([]);
  });

  it('go through no barrel', () => {
    expect(files.filter((file) => /(^|\/)index\.ts$/.test(file))).toEqual([]);
  });

  it('of network clients and child processes stand in adapters alone', () => {
    // platform holds the two protocols that the service itself speaks: HTTP as a server, and PostgreSQL.
    const clients =
      /^(node:)?(child_process|net|tls|http|https|http2|dgram|dns)(\/promises)?$|^(undici|openai|googleapis)/;
    const allowed = new Set([
      'platform/addresses.ts → node:net',
      'platform/http/client-addresses.ts → node:net',
      'platform/http/listener.ts → node:http',
      'platform/http/listener.ts → node:net',
      'platform/http/raw-http.ts → node:net',
      'platform/http/raw-http.ts → node:http',
      'platform/http/runtime-connections.ts → node:net',
    ]);
    const found = imports
      .filter(({ from, to, typeOnly }) => roomOf(from) !== 'adapters' && clients.test(to) && !typeOnly)
      .map(line)
      .filter((text) => !allowed.has(text));
    expect(found, 'What talks to the outside implements a port, in adapters').toEqual([]);
    const fetching = sourceLines(/(?<![.\w])fetch\(/).filter((text) => !text.startsWith('adapters/'));
    expect(fetching, 'What talks to the outside implements a port, in adapters').toEqual([]);
  });

  it('of PostgreSQL’s driver stand in platform/db alone, but for the one map of errors', () => {
    const found = imports.filter(({ from, to }) => to === 'pg' && !/^(platform\/db|adapters)\//.test(from));
    expect(found.map(line)).toEqual(['platform/http/errors.ts → pg']);
  });

  it('load at the start no library that not every process needs, and of others what is used', () => {
    // Each keeps up to 8 MB of heap.
    const kept = new Map([
      ['@modelcontextprotocol/server', 'mcp/endpoint.ts loads it with the first request'],
      ['@redis/client', 'start.ts loads it where there is a Redis'],
      ['jose', 'Import jose/jwt/… or another part of it'],
      ['openai', 'start.ts loads it where there is a model'],
      ['@opentelemetry/sdk-trace', 'start.ts loads it where traces are exported'],
      ['@opentelemetry/exporter-trace-otlp-http', 'start.ts loads it where traces are exported'],
    ]);
    const loaded = reachedFrom('serve.ts').filter(({ to }) => kept.has(to));
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

/** All imports of a file, direct and indirect. */
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

/** A re-export is not a use. */
const withoutReExports = (text: string) => text.replaceAll(/^export \{[^}]*\} from .*$/gm, '');

const isCode = (at: string) => !/^\S+:\d+: (\*|\/\/|\/\*)/.test(at);

describe('a table', () => {
  it('is written by the statements of one room', () => {
    const writers = writersOfTables();
    expect(writers.size).toBeGreaterThan(60);
    const shared = [...writers].filter(([, rooms]) => rooms.size > 1);
    expect(
      shared.map(([table, rooms]) => `${table}: ${[...rooms].join(', ')}`),
      'Put the statement into the room that owns the table; a part of a statement can be its fragment or function',
    ).toEqual([]);
  });
});

describe('a function of SQL', () => {
  it('is created by one file: the file that is applied later would replace it', () => {
    const names = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.sql'),
    );
    const created = names.flatMap((name) => {
      const text = readFileSync(join(SRC, name), 'utf8');
      const functions = text.matchAll(/^create or replace (?:function|procedure|view) (\w+)/gm);
      return [...new Set([...functions].map(([, created]) => created))].map((of) => ({ of, name }));
    });
    expect(created.length).toBeGreaterThan(20);
    const twice = created.filter(({ of, name }) =>
      created.some((other) => other.of === of && other.name !== name),
    );
    expect(twice).toEqual([]);
  });
});

describe('the source', () => {
  it('reads the environment in config.ts and the programs alone', () => {
    // Variables that a child process inherits, such as PATH, are not settings.
    const allowed = /^(config\.ts|serve\.ts|migrate-database\.ts|adapters\/process-engine\/spawn\.ts):/;
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
      if (layerOf(file) !== 'db' && !file.startsWith('platform/db/')) return [];
      const names = [...text.matchAll(/^export (?:async )?(?:const|function) (\w+)/gm)].map(
        ([, name]) => name,
      );
      const others = [...textOf]
        .filter(([other]) => other !== file)
        .map(([, other]) => withoutReExports(other));
      return names.filter((name) => !others.some((other) => new RegExp(`\\b${name}\\b`).test(other)));
    });
    expect(unsent, 'Put it where the tests are, or away').toEqual([]);
  });

  it('skips no result of a run by position', () => {
    const holes =
      /\[(?:\s*|[^\]\n]*,\s*),[^=\n]*= await\b(?! Promise\.)|\.then\(\(\[\s*,|\.run\([^;]*\)\)\[[1-9]/;
    expect(sourceLines(holes), 'Name the results: const { row } = await q.run({ lock: …, row: … })').toEqual(
      [],
    );
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
    expect(
      files.filter((file) => !/^([a-z0-9-]+\/)*[a-z0-9-]+(\.(contract|port|db|http))?\.ts$/.test(file)),
    ).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSchema } from '../../src/platform/db/schema-files.ts';
import type { TestDatabase } from './database.ts';
import { tablesWritten, writersOfTables } from './table-writers.ts';

const BASELINE = readFileSync(join(import.meta.dirname, '../../migrations/0001_baseline.sql'), 'utf8');

const HEAD = `# The schema

Tables by room, with what happens in the database when a row changes. \`npm run schema\` makes this page from the database and
the SQL of the rooms (\`server/src/<room>/*.sql\`), and a test keeps it true. The meaning of columns stands in the comments of
[0001_baseline.sql](../server/migrations/0001_baseline.sql).`;

interface Column {
  table: string;
  name: string;
  type: string;
  optional: boolean;
}

interface Trigger {
  table: string;
  name: string;
  definition: string;
  routine: string;
}

interface Reference {
  table: string;
  other: string;
  /** Deletes the row; otherwise the columns become null. */
  goes: boolean;
  columns: string;
}

interface Routine {
  file: string;
  comment: string;
  body: string;
}

const OURS = `c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname not like 'schema\\_%'`;

const listColumns = (database: TestDatabase) =>
  database.query<Column>(
    `select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
            not a.attnotnull as optional
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where ${OURS.replace(`= 'r'`, `in ('r', 'v')`)} and a.attnum > 0 and not a.attisdropped order by c.relname, a.attnum`,
  );

const listTriggers = (database: TestDatabase) =>
  database.query<Trigger>(
    `select c.relname as table, t.tgname as name, pg_get_triggerdef(t.oid, true) as definition, p.proname as routine
     from pg_class c join pg_trigger t on t.tgrelid = c.oid join pg_proc p on p.oid = t.tgfoid
     where ${OURS} and not t.tgisinternal order by c.relname, t.tgname`,
  );

/** Deletions of rows that change rows of other tables by their references. */
const listReferences = (database: TestDatabase) =>
  database.query<Reference>(
    `select c.relname as table, o.relname as other, f.confdeltype = 'c' as goes,
            coalesce((select string_agg(attname, ', ') from pg_attribute
                      where attrelid = c.oid and attnum = any (coalesce(f.confdelsetcols, f.conkey))), '') as columns
     from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_class o on o.oid = f.confrelid
     where f.contype = 'f' and f.confdeltype in ('c', 'n') and ${OURS} order by 1, 2`,
  );

async function readRoutines(): Promise<Map<string, Routine>> {
  const found = new Map<string, Routine>();
  for (const { name: file, text } of (await readSchema()).roomFiles) {
    const parts = text.matchAll(
      /((?:^--.*\n)*)^create or replace (?:function|procedure) (\w+)([^]*?)(?=^create |^call |^do |(?![^]))/gm,
    );
    for (const [, comment = '', name = '', body = ''] of parts)
      found.set(name, { file, comment: comment.replaceAll(/^-- ?/gm, '').trim(), body });
  }
  return found;
}

async function readViews(): Promise<Map<string, string>> {
  const { roomFiles } = await readSchema();
  return new Map(
    roomFiles.flatMap(({ name, text }) =>
      [...text.matchAll(/^create or replace view (\w+)/gm)].map(([, view = '']): [string, string] => [
        view,
        name.split('/')[0] ?? '',
      ]),
    ),
  );
}

/** The tables and channels that a function changes, directly or through others. */
function effectsOf(name: string, all: ReadonlyMap<string, Routine>, seen = new Set<string>()): Set<string> {
  const { body = '' } = all.get(name) ?? {};
  if (seen.has(name)) return new Set();
  seen.add(name);
  const effects = new Set(tablesWritten(body));
  for (const [, channel] of body.matchAll(/pg_notify\('(\w+)'/g)) effects.add(`notifies ${channel}`);
  for (const [, column] of body.matchAll(/\bnew\.(\w+) :=/g)) effects.add(`this row's ${column}`);
  for (const other of all.keys())
    if (new RegExp(`\\b${other}\\(`).test(body))
      for (const effect of effectsOf(other, all, seen)) effects.add(effect);
  return effects;
}

/** Such as `after insert or update of status`, in the database's order. */
const timeOf = ({ definition }: Trigger) =>
  (/ (BEFORE|AFTER) (.*?) ON \w+/.exec(definition)?.slice(1).join(' ') ?? '')
    .replaceAll(/\b[A-Z]+\b/g, (word) => word.toLowerCase())
    .trim();

const firstSentence = (comment: string) => /^[^]*?\.(?=\s|$)/.exec(comment)?.[0].replaceAll('\n', ' ') ?? '';

function triggerLine(trigger: Trigger, all: ReadonlyMap<string, Routine>): string {
  const { file = '?', comment = '' } = all.get(trigger.routine) ?? {};
  const effects = [...effectsOf(trigger.routine, all)].toSorted();
  const changes = effects.length === 0 ? 'changes nothing' : `changes ${effects.join(', ')}`;
  return `- **${timeOf(trigger)}**: \`${trigger.routine}\` (${file}) ${changes.replace('changes notifies', 'notifies')}. ${firstSentence(comment)}`.trim();
}

const shortType = (type: string) =>
  type.replace('timestamp with time zone', 'timestamptz').replace('timestamp without time zone', 'timestamp');

/** The rooms of tables that no statement of the service writes. */
const ONLY_MIGRATED: Readonly<Record<string, string>> = {
  default_primitives: 'catalogue',
  installation: 'runtimes',
};

export async function schemaPage(database: TestDatabase): Promise<string> {
  const columns = groupBy(await listColumns(database), ({ table }) => table);
  const triggers = groupBy(await listTriggers(database), ({ table }) => table);
  const references = groupBy(await listReferences(database), ({ table }) => table);
  const routines = await readRoutines();
  const writers = writersOfTables();
  const views = await readViews();
  const ownerOf = (table: string) =>
    views.get(table) ?? [...(writers.get(table) ?? [])][0] ?? ONLY_MIGRATED[table] ?? '';
  const rooms = groupBy([...columns.keys()].toSorted(inBaseline), ownerOf);
  const overview = [...rooms].map(([room, tables]) => `| [${room}](#${room}) | ${tables.join(', ')} |`);
  const sections = [...rooms].map(([room, tables]) =>
    [
      `## ${room}`,
      ...tables.flatMap((table) => [
        `### ${table}${views.has(table) ? ' (view)' : ''}`,
        (columns.get(table) ?? []).map(columnText).join(', '),
        ...changesText(references.get(table) ?? [], triggers.get(table) ?? [], routines),
      ]),
    ].join('\n\n'),
  );
  return `${[HEAD, ['| Room | Tables |', '| --- | --- |', ...overview].join('\n'), ...sections].join('\n\n')}\n`;
}

const columnText = ({ name, type, optional }: Column) =>
  `\`${name}\` ${shortType(type)}${optional ? '?' : ''}`;

function changesText(
  references: readonly Reference[],
  triggers: readonly Trigger[],
  routines: ReadonlyMap<string, Routine>,
): string[] {
  const lines = [
    ...references.map(
      ({ other, goes, columns }) =>
        `- **after delete of ${other}**: ${goes ? 'the row is deleted' : `${columns} becomes null`}.`,
    ),
    ...triggers.map((trigger) =>
      trigger.routine === 'note_change'
        ? `- **${timeOf(trigger)}**: recorded in the audit log (audit/changes.sql).`
        : triggerLine(trigger, routines),
    ),
  ];
  return lines.length === 0 ? [] : [lines.join('\n')];
}

const placeOf = (table: string) => {
  const place = BASELINE.indexOf(`create table ${table} (`);
  return place < 0 ? BASELINE.length : place;
};
const inBaseline = (a: string, b: string) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1);

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

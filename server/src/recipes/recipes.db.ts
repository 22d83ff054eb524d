import type { HostingMode } from '../catalogue/hosting.contract.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { fragment, json, sql, wireTime } from '../platform/db/sql.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { JsonText } from '../platform/json/json-text.ts';

/** What a change of a recipe may touch, as it is stored and returned. */
export interface RecipeContent {
  name: string;
  description: string | null;
  hosting_mode: HostingMode;
  shared_node_capacity: number;
  is_active: boolean;
  source_instance_id: string | null;
  system_prompt: string | null;
  manifest_id: string | null;
  onboarding_flow_id: string | null;
  rules_template_id: string | null;
  approval_rules: JsonObject | null;
  channel_config: JsonObject | null;
  compliance_config: JsonObject | null;
  data_access: JsonObject | null;
  model_policy: JsonObject | null;
  module_config: JsonObject | null;
  voice_config: JsonObject | null;
  channel_types: unknown[];
  connection_requirements: unknown[];
  mcp_servers: unknown[];
  skills: unknown[];
  trigger_templates: unknown[];
  workflow_slugs: unknown[];
  sidecars: unknown[];
}

export interface RecipeRow extends RecipeContent {
  id: string;
  tenant_id: string;
  revision: number;
  is_platform_template: boolean;
  created_at: Date;
  updated_at: Date;
}

/** As it goes on the wire. */
export interface RevisionRow extends RecipeContent {
  recipe_id: string;
  revision: number;
  created_at: string;
}

const contentColumns = `name, description, hosting_mode, shared_node_capacity, is_active, source_instance_id,
  system_prompt, manifest_id, onboarding_flow_id, rules_template_id, approval_rules, channel_config,
  compliance_config, data_access, model_policy, module_config, voice_config, channel_types,
  connection_requirements, mcp_servers, skills, trigger_templates, workflow_slugs, sidecars`;
const content = fragment(contentColumns);
const columns = fragment(
  `id, tenant_id, revision, is_platform_template, created_at, updated_at, ${contentColumns}`,
);

const JSON_COLUMNS = [
  'approval_rules',
  'channel_config',
  'compliance_config',
  'data_access',
  'model_policy',
  'module_config',
  'voice_config',
  'channel_types',
  'connection_requirements',
  'mcp_servers',
  'skills',
  'trigger_templates',
  'workflow_slugs',
  'sidecars',
] as const satisfies readonly (keyof RecipeContent)[];
const knownAtOnce = `id, tenant_id, revision, is_platform_template, name, hosting_mode, shared_node_capacity, is_active,
  source_instance_id, manifest_id, onboarding_flow_id, rules_template_id`;
/** May be long. */
const unreadColumns = ['system_prompt', ...JSON_COLUMNS];
const unread = fragment(
  `${knownAtOnce}, ${unreadColumns.map((name) => `${name}::text as ${name}`).join(', ')}`,
);
const unreadBytes = fragment(unreadColumns.map((name) => `coalesce(octet_length(${name}), 0)`).join(' + '));
const unreadUnlessLarge = fragment(
  `${knownAtOnce}, is_large, ${unreadColumns.map((name) => `case when not is_large then ${name} end as ${name}`).join(', ')}`,
);

const columnsOf = (table: string, names: string) =>
  names
    .split(',')
    .map((name) => `${table}.${name.trim()}`)
    .join(', ');

/** Rows from before `trigger_templates` was empty like any other array, unless set, have null there. */
const wireContent = columnsOf('recipes', contentColumns).replace(
  'recipes.trigger_templates',
  `coalesce($&, '[]') as trigger_templates`,
);

/** A row as it goes on the wire. PostgreSQL writes it, so that nobody takes thirty columns apart in between. */
export const wire = fragment(
  `(select row_to_json(wire)::text from (
      select ${columnsOf('recipes', 'id, tenant_id, revision, is_platform_template')},
        ${wireTime('recipes.created_at')} as created_at, ${wireTime('recipes.updated_at')} as updated_at,
        ${wireContent}) wire)`,
);

/** The same of a row that is being written: over 2 MiB it is refused (isTooLong, recipe_within_bound). */
const boundedWire = fragment(`recipe_within_bound(${wire.text})`);

export async function findRecipe(q: Queryable, id: string): Promise<RecipeRow | undefined> {
  const [row] = await q.rows(
    sql<RecipeRow>`select ${columns} from recipes where id = ${id} and deleted_at is null`,
  );
  return row;
}

type JsonColumn = (typeof JSON_COLUMNS)[number];

export async function existsRecipe(q: Queryable, id: string): Promise<boolean> {
  return (await q.rows(sql`select id from recipes where id = ${id} and deleted_at is null`)).length > 0;
}

/** A recipe whose JSON is not read yet, for it may be many times as large as a request. */
export type UnreadRecipe = Omit<RecipeRow, JsonColumn | 'created_at' | 'updated_at' | 'description'> & {
  [Column in JsonColumn]: string | null;
} & {
  /** Its JSON and its prompt are left out, then. */
  is_large: boolean;
};

/** @param maxBytes a recipe of which more would have to be read is large */
export async function findUnreadRecipe(
  q: Queryable,
  id: string,
  maxBytes: number,
): Promise<UnreadRecipe | undefined> {
  // `offset 0` keeps the selects apart: what is written is measured, and not written once more for it.
  const [row] = await q.rows(
    sql<UnreadRecipe>`
      select ${unreadUnlessLarge} from (
        select *, ${unreadBytes} > ${maxBytes}::integer as is_large from (
          select ${unread} from recipes where id = ${id} and deleted_at is null offset 0
        ) written offset 0
      ) measured`,
  );
  return row;
}

/** For passing on as it is. */
export async function findRecipeJson(q: Queryable, id: string): Promise<JsonText<RecipeRow> | undefined> {
  const [row] = await q.rows(
    sql<{ recipe: string }>`select ${wire} as recipe from recipes where id = ${id} and deleted_at is null`,
  );
  return row && new JsonText(row.recipe);
}

/** `fields` need every column of RecipeContent. */
export async function insertRecipe(q: Queryable, fields: RecipeContent): Promise<JsonText<RecipeRow>> {
  const [row] = await q.rows(
    sql<{ recipe: string }>`
      insert into recipes (tenant_id, ${content})
      select current_tenant(), ${content} from jsonb_populate_record(null::recipes, ${json(fields)})
      returning ${boundedWire} as recipe`,
  );
  return new JsonText((row as { recipe: string }).recipe);
}

/**
 * Sets the fields of `patch` and leaves the others as they are, also when another change comes at the same time.
 * Only a real change counts as a revision. Platform templates and rows of others are not found.
 */
export async function patchRecipe(
  q: Queryable,
  id: string,
  patch: Partial<RecipeContent>,
  now: Date,
): Promise<JsonText<RecipeRow> | undefined> {
  const [row] = await q.rows(
    sql<{ recipe: string }>`
      with old as (
        select id, recipes as was from recipes
        where id = ${id} and deleted_at is null and tenant_id = current_tenant() for update
      ), patched as (
        select (jsonb_populate_record(was, ${json(patch)})).* from old
      ), changed as (
        select from patched, old where to_jsonb(patched) is distinct from to_jsonb(old.was)
      )
      update recipes set
        (${content}) = (select ${content} from patched),
        revision = recipes.revision + (select count(*) from changed),
        updated_at = case when exists (select from changed) then greatest(recipes.updated_at, ${now})
                          else recipes.updated_at end
      from old where recipes.id = old.id
      returning ${boundedWire} as recipe`,
  );
  return row && new JsonText(row.recipe);
}

export async function deleteRecipe(q: Queryable, id: string, now: Date): Promise<boolean> {
  const rows = await q.rows(
    sql`update recipes set deleted_at = ${now}
        where id = ${id} and deleted_at is null and tenant_id = current_tenant() returning id`,
  );
  return rows.length > 0;
}

/** A RevisionRow as JSON. `trigger_templates` of before it was empty like any other array, unless set, is null. */
const revisionWire = fragment(`content || jsonb_build_object(
  'recipe_id', recipe_id, 'revision', revision, 'created_at', ${wireTime('created_at')},
  'trigger_templates', coalesce(nullif(content -> 'trigger_templates', 'null'), '[]'))`);

/** The numbers of a page of revisions, with how many there are. */
export const listRevisionNumbers = (q: Queryable, recipe_id: string, limit: number, offset: number) =>
  q.rows(
    sql<{ revision: number; total: number }>`
      select revision, count(*) over () as total from recipe_revisions where recipe_id = ${recipe_id}
      order by revision desc limit ${limit} offset ${offset}`,
  );

/** Some of a recipe's revisions, newest first. */
export const listRevisionsJson = (q: Queryable, recipe_id: string, revisions: readonly number[]) =>
  q.rows(
    sql<{ json: string }>`
      select (${revisionWire})::text as json from recipe_revisions
      where recipe_id = ${recipe_id} and revision = any (${revisions}::integer[]) order by revision desc`,
  );

/** For passing on as it is. */
export async function findRevisionJson(
  q: Queryable,
  recipe_id: string,
  revision: number,
): Promise<JsonText<RevisionRow> | undefined> {
  const [row] = await q.rows(
    sql<{ json: string }>`
      select (${revisionWire})::text as json from recipe_revisions
      where recipe_id = ${recipe_id} and revision = ${revision}
        and exists (select from recipes where id = ${recipe_id} and deleted_at is null)`,
  );
  return row && new JsonText(row.json);
}

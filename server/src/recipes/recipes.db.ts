import { namedActor } from '../access/actor-names.db.ts';
import { fragment, json, NOW, sql, wireTime } from '../platform/db/sql.ts';
import { JsonText } from '../platform/json/json-text.ts';
import { RECIPE_FIELDS, type RecipeFieldValues } from './recipe-fields.contract.ts';

/** The part that changes and revisions contain. */
export interface RecipeContent extends RecipeFieldValues {
  name: string;
  is_active: boolean;
  /** null: not saved from an instance. */
  source_instance_id: string | null;
}

export interface RecipeRow extends RecipeContent {
  id: string;
  tenant_id: string;
  revision: number;
  is_platform_template: boolean;
  created_at: Date;
  updated_at: Date;
}

/** As in responses. */
interface RevisionRow extends RecipeContent {
  recipe_id: string;
  revision: number;
  created_at: string;
  /** null: from an earlier version of the service. */
  created_by: { kind: 'user' | 'api_key' | 'operations'; id: string | null; name: string | null } | null;
}

export const CONTENT_COLUMNS = [
  'name',
  'is_active',
  'source_instance_id',
  ...RECIPE_FIELDS.map(({ name }) => name),
] as const satisfies readonly (keyof RecipeContent)[];
const ROW_COLUMNS = ['id', 'tenant_id', 'revision', 'is_platform_template'];
/** Older rows have null for an empty list. */
const LISTS: readonly string[] = RECIPE_FIELDS.filter(({ kind }) => kind === 'list').map(({ name }) => name);

const content = fragment(CONTENT_COLUMNS.join(', '));

const columnOfRecipe = (name: string) =>
  LISTS.includes(name) ? `coalesce(recipes.${name}, '[]') as ${name}` : `recipes.${name}`;
const rowColumns = [...ROW_COLUMNS, ...CONTENT_COLUMNS].map(columnOfRecipe).join(', ');
const columns = fragment(`${rowColumns}, recipes.created_at, recipes.updated_at`);

/** A row as JSON from PostgreSQL, which is sent without parsing. */
export const recipeJson = fragment(
  `(select row_to_json(wire)::text from (
      select ${rowColumns}, ${wireTime('recipes.created_at')} as created_at,
             ${wireTime('recipes.updated_at')} as updated_at) wire)`,
);

const isVisible = fragment('deleted_at is null');
const isOwn = fragment('deleted_at is null and tenant_id = current_tenant()');

/** 404 before the following statements unless the tenant sees the recipe. */
export const recipeExists = (id: string) =>
  sql`select must_exist(exists (select from recipes where id = ${id} and ${isVisible}), 'Recipe')`;

/** 404 before the following statements unless the recipe has the revision. */
export const revisionExists = (recipe_id: string, revision: number) =>
  sql`select must_exist(exists (select from recipes where id = ${recipe_id} and revision = ${revision})
        or exists (select from recipe_revisions where recipe_id = ${recipe_id} and revision = ${revision}), 'Revision')`;

/**
 * Until the transaction ends, the recipe is neither changed nor deleted. Platform templates are not the tenant's to lock, or
 * to delete.
 */
export const holdRecipe = (id: string) => sql`select from recipes where id = ${id} for share`;

/** @param id null: none */
export const findRecipe = (id: string | null) =>
  sql<RecipeRow>`select ${columns} from recipes where id = ${id} and ${isVisible}`.first();

export const findRecipeJson = (id: string) =>
  sql<{ recipe: string }>`select ${recipeJson} as recipe from recipes where id = ${id} and ${isVisible}`
    .first()
    .map((row) => row && new JsonText<RecipeRow>(row.recipe));

export const insertRecipe = (fields: RecipeContent) =>
  sql<{ recipe: string }>`
    insert into recipes (tenant_id, ${content})
    select current_tenant(), ${content} from jsonb_populate_record(null::recipes, ${json(fields)})
    returning ${recipeJson} as recipe`
    .one()
    .map(({ recipe }) => new JsonText<RecipeRow>(recipe));

/**
 * Sets fields without reverting concurrent changes of others. A revision counts only changed values. undefined for
 * platform templates and rows of other tenants, and for another revision than the expected one.
 * @param expect_revision null: any
 * @returns the row as JSON, after and before the change
 */
export const patchRecipe = (id: string, patch: Partial<RecipeContent>, expect_revision: number | null) =>
  sql<{ recipe: string; before: string }>`
    with old as (
      select id, recipes as was from recipes
      where id = ${id} and ${isOwn} and (${expect_revision}::integer is null or revision = ${expect_revision})
      for update
    ), patched as (
      select (jsonb_populate_record(was, ${json(patch)})).* from old
    ), changed as (
      select from patched, old where to_jsonb(patched) is distinct from to_jsonb(old.was)
    )
    update recipes set
      (${content}) = (select ${content} from patched),
      revision = recipes.revision + (select count(*) from changed),
      updated_at = case when exists (select from changed) then greatest(recipes.updated_at, ${NOW})
                        else recipes.updated_at end
    from old where recipes.id = old.id
    returning ${recipeJson} as recipe, to_jsonb(old.was)::text as before`.first();

/** False: no recipe of the tenant. */
export const deleteRecipe = (id: string) =>
  sql`update recipes set deleted_at = ${NOW} where id = ${id} and ${isOwn} returning id`.exists();

const revisionLists = LISTS.map((name) => `'${name}', coalesce(nullif(content -> '${name}', 'null'), '[]')`);
/** A RevisionRow as JSON. */
const revisionJson = fragment(`(content || jsonb_build_object(
  'recipe_id', recipe_id, 'revision', revision, 'created_at', ${wireTime('created_at')},
  'created_by', ${namedActor('created_by').text},
  ${revisionLists.join(', ')}))::text`);

/** Newest first. */
export const listRevisionNumbers = (recipe_id: string, limit: number, offset: number) =>
  sql<{ revision: number; total: number }>`
    select revision, count(*) over () as total from recipe_revisions where recipe_id = ${recipe_id}
    order by revision desc limit ${limit} offset ${offset}`;

/** As JSON, newest first. */
export const listRevisionsJson = (recipe_id: string, revisions: readonly number[]) =>
  sql<{ revision: string }>`
    select ${revisionJson} as revision from recipe_revisions
    where recipe_id = ${recipe_id} and revision = any (${revisions}::integer[])
    order by recipe_revisions.revision desc`.each(({ revision }) => revision);

export const findRevisionContent = (recipe_id: string, revision: number) =>
  sql<{ content: RecipeContent }>`
    select content from recipe_revisions where recipe_id = ${recipe_id} and revision = ${revision}`
    .first()
    .map((row) => row?.content);

export const findRevisionJson = (recipe_id: string, revision: number) =>
  sql<{ revision: string }>`
    select ${revisionJson} as revision from recipe_revisions
    where recipe_id = ${recipe_id} and revision = ${revision}
      and exists (select from recipes where id = ${recipe_id} and ${isVisible})`
    .first()
    .map((row) => row && new JsonText<RevisionRow>(row.revision));

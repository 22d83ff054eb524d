import { limitLists } from '../catalogue/list-bounds.ts';
import type { Queryable, TenantDb, TenantQueryable } from '../platform/db/queryable.ts';
import { LEAST_UUID } from '../platform/db/rows.ts';
import { forbidden, found, notFound, ServiceError } from '../platform/errors.ts';
import { limitDocument, limitValue } from '../platform/json/document-limit.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { JsonText } from '../platform/json/json-text.ts';
import { RECIPE_FIELDS, type RecipeFieldValues, unsetValue } from './recipe-fields.contract.ts';
import {
  CONTENT_COLUMNS,
  deleteRecipe as deleteRecipeRow,
  findRecipe,
  findRevisionJson,
  insertRecipe,
  listRevisionsJson,
  patchRecipe,
  type RecipeContent,
  type RecipeRow,
} from './recipes.db.ts';

/** Read at once while a page is sent. */
const REVISIONS_AT_ONCE = 10;

/** null clears. */
export type RecipeFields = {
  [Name in keyof RecipeFieldValues]?: RecipeFieldValues[Name] | null | undefined;
};

/** A new recipe is always active (specification, section 2.1). */
export function createRecipe(
  q: Queryable,
  fields: RecipeFields & { name: string },
  source_instance_id: string | null,
): Promise<JsonText<RecipeRow>> {
  const content = newContent(fields, source_instance_id);
  limitDocument({ ...content }, Object.keys(content));
  limitLists(content, ['body']);
  return q.run(insertRecipe(content));
}

function newContent(
  fields: RecipeFields & { name: string },
  source_instance_id: string | null,
): RecipeContent {
  const values = Object.fromEntries(RECIPE_FIELDS.map(({ name }) => [name, orUnset(name, fields[name])]));
  const content = { name: fields.name, is_active: true, source_instance_id, ...values };
  return content as unknown as RecipeContent;
}

/** A recipe as it would be created, within its limits. @param loc where it is in the request */
export function draftRecipe(
  q: TenantQueryable,
  fields: RecipeFields & { name: string },
  loc: string[],
): RecipeRow {
  const content = newContent(fields, null);
  limitValue(content, loc);
  limitLists(content, loc);
  const { tenant_id, now } = q;
  const unsaved = { id: LEAST_UUID, revision: 0, is_platform_template: false };
  return { ...content, ...unsaved, tenant_id, created_at: now, updated_at: now };
}

/**
 * Checks the limit on the resulting row, which a concurrent change may have enlarged.
 * @param expect_revision 412 for another one; null: any
 */
export async function updateRecipe(
  q: TenantDb,
  id: string,
  { name, is_active, ...fields }: RecipeFields & { name?: string; is_active?: boolean },
  expect_revision: number | null,
): Promise<JsonText<RecipeRow>> {
  const given = RECIPE_FIELDS.filter((field) => fields[field.name] !== undefined);
  const patch: Partial<RecipeContent> = {
    ...Object.fromEntries(given.map((field) => [field.name, orUnset(field.name, fields[field.name])])),
    ...(name !== undefined && { name }),
    ...(is_active !== undefined && { is_active }),
  };
  const recipe = await q.transaction(async (tx) => {
    const changed = await tx.run(patchRecipe(id, patch, expect_revision));
    if (!changed) return undefined;
    const before = () => contentOf(changed.before);
    const content = contentOf(changed.recipe);
    limitDocument(content, Object.keys(patch), before);
    limitLists(content, ['body'], before);
    return changed.recipe;
  });
  if (recipe === undefined) throw await whyUnchangeable(q, id, expect_revision);
  return new JsonText(recipe);
}

/** Restoring is itself a change with a new revision. */
export async function restoreRevision(
  q: TenantDb,
  id: string,
  revision: number,
  expect_revision: number | null,
): Promise<JsonText<RecipeRow>> {
  const json = found('Recipe revision', await q.run(findRevisionJson(id, revision)));
  return updateRecipe(q, id, json.parse(), expect_revision);
}

export async function deleteRecipe(q: Queryable, id: string): Promise<void> {
  if (!(await q.run(deleteRecipeRow(id)))) throw await whyUnchangeable(q, id, null);
}

/** Streams in parts, because a page of revisions may be large. */
export async function* readRevisions(
  q: Queryable,
  id: string,
  page: readonly { revision: number }[],
): AsyncGenerator<string> {
  const revisions = page.map(({ revision }) => revision);
  for (let at = 0; at < revisions.length; at += REVISIONS_AT_ONCE) {
    yield* await q.run(listRevisionsJson(id, revisions.slice(at, at + REVISIONS_AT_ONCE)));
  }
}

const orUnset = (name: keyof RecipeFieldValues, value: unknown) => value ?? unsetValue(name);

/** Without columns that change automatically. */
function contentOf(json: string): JsonObject {
  const row = JSON.parse(json) as JsonObject;
  return Object.fromEntries(CONTENT_COLUMNS.map((name) => [name, row[name]]));
}

async function whyUnchangeable(
  q: Queryable,
  id: string,
  expect_revision: number | null,
): Promise<ServiceError> {
  const recipe = await q.run(findRecipe(id));
  if (recipe?.is_platform_template)
    return forbidden('Platform templates are read-only; create a recipe of your own');
  if (recipe === undefined || expect_revision === null) return notFound('Recipe');
  const message = `The recipe is at revision ${recipe.revision}, not ${expect_revision}`;
  return new ServiceError('precondition_failed', message);
}

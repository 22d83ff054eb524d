import type { Queryable } from '../platform/db/queryable.ts';
import { isTooLong } from '../platform/db/refusals.ts';
import { forbidden, invalid, notFound, type ServiceError } from '../platform/errors.ts';
import type { JsonText } from '../platform/json/json-text.ts';
import { type LargeCall, LIGHT, withLarge } from './large-recipes.ts';
import {
  deleteRecipe as deleteRecipeRow,
  existsRecipe,
  findRecipe,
  findRecipeJson,
  findRevisionJson,
  insertRecipe,
  listRevisionNumbers,
  listRevisionsJson,
  patchRecipe,
  type RecipeContent,
  type RecipeRow,
  type RevisionRow,
} from './recipes.db.ts';

export type { RecipeRow } from './recipes.db.ts';

const REVISIONS_AT_ONCE = 10;

/** What a field is when nobody set it, and what null brings it back to. */
const UNSET = {
  description: null,
  hosting_mode: 'dedicated',
  shared_node_capacity: 50,
  is_active: true,
  system_prompt: null,
  manifest_id: null,
  onboarding_flow_id: null,
  rules_template_id: null,
  approval_rules: null,
  channel_config: null,
  compliance_config: null,
  data_access: null,
  model_policy: null,
  module_config: null,
  voice_config: null,
  channel_types: [],
  connection_requirements: [],
  mcp_servers: [],
  skills: [],
  trigger_templates: [],
  workflow_slugs: [],
  sidecars: [],
} as const satisfies Omit<RecipeContent, 'name' | 'source_instance_id'>;

/** A request's fields: any that it may set, null meaning unset. */
export type RecipeFields = {
  [F in Exclude<keyof RecipeContent, 'source_instance_id'>]?: RecipeContent[F] | null | undefined;
};

const CLEARABLE = Object.keys(UNSET) as (keyof typeof UNSET)[];

/** The known fields of a request, each null as the field's unset value. Unknown fields fall away. */
function settled(fields: RecipeFields): Partial<RecipeContent> {
  const content: Record<string, unknown> = {};
  if (typeof fields.name === 'string') content.name = fields.name;
  for (const name of CLEARABLE) {
    if (fields[name] !== undefined) content[name] = fields[name] ?? UNSET[name];
  }
  return content;
}

/**
 * Active, whatever it is sent: only a change says otherwise (specification, section 2.1). `source_instance_id`: what
 * it is saved from.
 */
export function createRecipe(
  q: Queryable,
  fields: RecipeFields & { name: string },
  source_instance_id: string | null,
) {
  const content: { name: string; [field: string]: unknown } = { name: fields.name };
  for (const name of CLEARABLE) content[name] = fields[name] ?? UNSET[name];
  content.is_active = UNSET.is_active;
  content.source_instance_id = source_instance_id;
  return insertRecipe(q, content as unknown as RecipeContent).catch(raiseTooLarge);
}

export async function getRecipe(q: Queryable, id: string): Promise<JsonText<RecipeRow>> {
  const recipe = await findRecipeJson(q, id);
  if (!recipe) throw notFound('Recipe');
  return recipe;
}

export async function updateRecipe(
  q: Queryable,
  id: string,
  fields: RecipeFields,
  now: Date,
): Promise<JsonText<RecipeRow>> {
  const recipe = await patchRecipe(q, id, settled(fields), now).catch(raiseTooLarge);
  if (!recipe) throw await whyUnchangeable(q, id);
  return recipe;
}

export async function deleteRecipe(q: Queryable, id: string, now: Date): Promise<void> {
  if (!(await deleteRecipeRow(q, id, now))) throw await whyUnchangeable(q, id);
}

/** The numbers of a page of its revisions, newest first. */
export async function listRevisions(q: Queryable, id: string, limit: number, offset: number) {
  const [exists, numbers] = await Promise.all([
    existsRecipe(q, id),
    listRevisionNumbers(q, id, limit, offset),
  ]);
  if (!exists) throw notFound('Recipe');
  return numbers;
}

/** A few when they are taken: a hundred of 2 MiB, or objects made of them, are not held together. */
export async function* readRevisions(
  q: Queryable,
  id: string,
  page: readonly { revision: number }[],
): AsyncGenerator<string> {
  const numbers = page.map(({ revision }) => revision);
  for (let at = 0; at < numbers.length; at += REVISIONS_AT_ONCE) {
    for (const { json } of await listRevisionsJson(q, id, numbers.slice(at, at + REVISIONS_AT_ONCE)))
      yield json;
  }
}

export async function getRevision(
  q: Queryable,
  id: string,
  revision: number,
): Promise<JsonText<RevisionRow>> {
  const found = await findRevisionJson(q, id, revision);
  if (!found) throw notFound('Recipe revision');
  return found;
}

/** Brings back what a recipe was after a change; that is a change of its own. */
export function restoreRevision(
  call: LargeCall,
  id: string,
  revision: number,
  now: Date,
): Promise<JsonText<RecipeRow>> {
  const read = async () => {
    const json = await getRevision(call.q, id, revision);
    return { json, is_large: json.bytes > LIGHT.bytes };
  };
  return withLarge(call, read, ({ json }) => {
    const { recipe_id: _id, revision: _n, created_at: _at, ...content } = json.parse();
    return updateRecipe(call.q, id, content, now);
  });
}

function raiseTooLarge(error: unknown): never {
  if (!isTooLong(error, 'recipe_within_bound')) throw error;
  throw invalid(['body'], 'The recipe would have more than 2 MiB of JSON');
}

async function whyUnchangeable(q: Queryable, id: string): Promise<ServiceError> {
  const recipe = await findRecipe(q, id);
  return recipe?.is_platform_template
    ? forbidden('Platform templates are read-only; create a recipe of your own')
    : notFound('Recipe');
}

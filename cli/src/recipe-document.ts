import { isDeepStrictEqual } from 'node:util';
import type { Recipe, RecipeUpdate } from '@agent-control-plane/sdk';
import { closestMatch } from 'leven';
import { type Document, objectOf } from './documents.ts';
import { type CliError, usageError } from './errors.ts';
import { isUuid } from './finding.ts';

/** In file order. The compiler checks them against the API. */
const SETTABLE = {
  name: true,
  description: true,
  is_active: true,
  hosting_mode: true,
  shared_node_capacity: true,
  system_prompt: true,
  manifest_id: true,
  skills: true,
  channel_types: true,
  channel_config: true,
  connection_requirements: true,
  mcp_servers: true,
  workflow_slugs: true,
  sidecars: true,
  trigger_templates: true,
  model_policy: true,
  voice_config: true,
  module_config: true,
  data_access: true,
  approval_rules: true,
  compliance_config: true,
  rules_template_id: true,
  onboarding_flow_id: true,
  idle_minutes: true,
} satisfies Record<Exclude<keyof RecipeUpdate, 'expect_revision'>, true>;

export type RecipeField = keyof typeof SETTABLE;
export const RECIPE_FIELDS = Object.keys(SETTABLE) as RecipeField[];

/** Read-only fields of the API, which are ignored in files. */
const RETURNED = [
  'tenant_id',
  'revision',
  'is_platform_template',
  'source_instance_id',
  'created_at',
  'updated_at',
];

/** Absent fields stay unchanged. */
export interface RecipeDocument {
  readonly where: string;
  readonly id?: string;
  readonly fields: Readonly<Partial<Record<RecipeField, unknown>>>;
}

/**
 * A document may also be a list, as the API returns it. Throws CliError for duplicates and unknown fields, which the
 * API would ignore.
 */
export function readRecipes(documents: readonly Document[]): RecipeDocument[] {
  const recipes = documents
    .flatMap(({ where, value }) =>
      Array.isArray(value)
        ? value.map((each: unknown, at) => ({ where: `${where}[${at}]`, value: each }))
        : [{ where, value }],
    )
    .map(readRecipe);
  const seen = new Set<unknown>();
  for (const { where, id, fields } of recipes) {
    const known = id ?? fields.name;
    if (seen.has(known)) throw usageError(`${where}: ${JSON.stringify(known)} is there twice`);
    seen.add(known);
  }
  return recipes;
}

function readRecipe(document: Document): RecipeDocument {
  const { where } = document;
  const { id, ...rest } = objectOf(document, 'recipe');
  const names = Object.keys(rest).filter((name) => !RETURNED.includes(name));
  const unknown = names.filter((name) => !Object.hasOwn(SETTABLE, name));
  if (unknown.length > 0) throw unknownFields(where, unknown);
  if (id !== undefined && (typeof id !== 'string' || !isUuid(id)))
    throw usageError(`${where}: its id is not a UUID`);
  if (id === undefined && typeof rest.name !== 'string')
    throw usageError(
      (rest.name ?? null) === null
        ? `${where}: it has neither id nor name`
        : `${where}: its name is not text: put it in quotes`,
    );
  const fields = Object.fromEntries(names.map((name) => [name, rest[name]]));
  return { where, fields, ...(id !== undefined && { id }) };
}

function unknownFields(where: string, unknown: readonly string[]): CliError {
  const meant = unknown.flatMap(
    (name) => closestMatch(name, RECIPE_FIELDS, { maxDistance: MAX_TYPOS }) ?? [],
  );
  const hint = meant.length === 0 ? undefined : `did you mean ${[...new Set(meant)].join(', ')}?`;
  return usageError(`${where}: a recipe has no field ${unknown.join(', ')}`, hint);
}

const MAX_TYPOS = 3;

/** The defaults that null restores, where not null. */
export const UNSET: Partial<Record<RecipeField, unknown>> = {
  hosting_mode: 'dedicated',
  shared_node_capacity: 50,
  channel_types: [],
  connection_requirements: [],
  mcp_servers: [],
  skills: [],
  workflow_slugs: [],
  sidecars: [],
  trigger_templates: [],
};

/** Applying them changes nothing. */
export function exportedFields(recipe: Recipe): Record<string, unknown> {
  const isSet = (name: RecipeField) =>
    recipe[name] !== null && !(Array.isArray(UNSET[name]) && isDeepStrictEqual(recipe[name], []));
  return Object.fromEntries(RECIPE_FIELDS.filter(isSet).map((name) => [name, recipe[name]]));
}

import { findDeployedInstance } from '../instances/instances.db.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { found } from '../platform/errors.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { jsonPointer } from '../platform/json/json-pointer.ts';
import { SAVED_FIELDS } from '../recipes/recipe-fields.contract.ts';
import type { RecipeRow } from '../recipes/recipes.db.ts';
import { createRecipe, type RecipeFields } from '../recipes/recipes.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { findPeople } from './customer-people.ts';
import type { KnownValue } from './known-forms.ts';
import { listKnownValues } from './known-values.ts';
import { Mentions } from './mentions.ts';
import { redactJson, type Stripped, textsToRedact } from './redacted-json.ts';
import { Redactor } from './redaction.ts';
import { STRIPPED_KINDS, type StrippedKind } from './save-from-instance.contract.ts';

const ALL_KINDS: ReadonlySet<StrippedKind> = new Set(STRIPPED_KINDS);

interface SaveRequest {
  name: string;
  description: string | null;
}

export interface RedactedRecipe {
  fields: JsonObject;
  name: string;
  description: string | null;
  /** Into the resolved configuration; `/name` and `/description` into the request. */
  stripped: Stripped[];
}

/** For values that are too many to hold at once. */
type FindKnown = (mentions: Mentions) => Promise<readonly KnownValue[]>;

/** Specification 4.1, behaviour 5. */
export async function saveFromInstance(
  { keyring }: { keyring: Keyring },
  q: TenantQueryable,
  instance_id: string,
  request: SaveRequest,
): Promise<RecipeRow & { stripped: Stripped[] }> {
  const instance = found('Instance', await q.run(findDeployedInstance(instance_id)));
  const known = await listKnownValues(q, keyring, instance);
  const find: FindKnown = (mentions) => findPeople(q, instance_id, mentions);
  const redacted = await redactRecipe(instance.resolved_config, request, known, find);
  const { fields, name, description, stripped } = redacted;
  const recipe = await createRecipe(q, { ...(fields as RecipeFields), name, description }, instance.id);
  return { ...recipe.parse(), stripped };
}

/**
 * Removes known values, texts in the form of a secret, and values whose name declares one. Values shorter than six
 * characters go only as whole values, those shorter than four never, because they occur in ordinary words.
 */
export async function redactRecipe(
  resolvedConfig: Readonly<JsonObject>,
  request: SaveRequest,
  known: readonly KnownValue[],
  find: FindKnown,
): Promise<RedactedRecipe> {
  const saved = SAVED_FIELDS.filter((name) => Object.hasOwn(resolvedConfig, name));
  const config = Object.fromEntries(saved.map((name) => [name, resolvedConfig[name]]));
  const texts = textsToRedact([...Object.values(config), request.name, request.description]);
  const mentioned = await find(new Mentions(texts));
  const redactor = new Redactor([...known, ...mentioned], ALL_KINDS);
  const recipe = redact(config, request, redactor);
  if (redactor.replaced.length === 0) return recipe;
  // Placeholders can spell known values that were not mentioned before.
  const isMentioned = new Set(mentioned.map(({ text }) => text));
  const spelled = await find(new Mentions(redactor.replaced));
  const others = spelled.filter(({ text }) => !isMentioned.has(text));
  if (others.length === 0) return recipe;
  return redact(config, request, new Redactor([...known, ...mentioned, ...others], ALL_KINDS));
}

function redact(config: JsonObject, request: SaveRequest, redactor: Redactor): RedactedRecipe {
  const stripped: Stripped[][] = [];
  const redactField = (field: string, value: unknown) => {
    const result = redactJson(value, jsonPointer(field), redactor, ALL_KINDS);
    stripped.push(result.stripped);
    return result.value;
  };
  const fields = Object.fromEntries(
    Object.entries(config).map(([field, value]) => [field, redactField(field, value)]),
  );
  const name = (redactField('name', request.name) as string | undefined) ?? 'Saved recipe';
  const description = (redactField('description', request.description) as string | null | undefined) ?? null;
  // A placeholder may be longer than what it replaces.
  return { fields, name: name.slice(0, 200), description, stripped: stripped.flat() };
}

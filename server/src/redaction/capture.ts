import type { JsonObject } from '../platform/json/json-object.ts';
import { jsonPointer } from '../platform/json/json-pointer.ts';
import { inTurns, type Steps } from '../platform/load/in-turns.ts';
import type { KnownValue } from './known-forms.ts';
import { Mentions } from './mentions.ts';
import { redactJson, type Stripped, textsToRedact } from './redacted-json.ts';
import { Redactor } from './redaction.ts';
import { STRIPPED_KINDS, type StrippedKind } from './save-from-instance.contract.ts';

/** What a recipe takes over from an instance (specification 4.1, behaviour 5); nothing else is. */
export const CAPTURED_FIELDS = [
  'system_prompt',
  'skills',
  'voice_config',
  'channel_types',
  'workflow_slugs',
  'data_access',
  'model_policy',
  'mcp_servers',
  'compliance_config',
  'connection_requirements',
] as const;

export type CapturedField = (typeof CAPTURED_FIELDS)[number];

const ALL_KINDS: ReadonlySet<StrippedKind> = new Set(STRIPPED_KINDS);

export interface Capture {
  fields: Partial<Record<CapturedField, unknown>>;
  /** How the recipe is called, by who saves it. */
  name: string;
  description: string | null;
  /** Pointers into the instance's resolved configuration; `/name` and `/description` for the request's own. */
  stripped: Stripped[];
}

/** Of the values that are too many to be held at once, those that some texts may mention. */
export type FindKnown = (mentions: Mentions) => Promise<readonly KnownValue[]>;

/**
 * Makes a recipe of an instance's configuration. Whatever `known` holds or `find` can, and e-mail addresses, phone numbers
 * and keys that show by their form, appear nowhere in it; nor does what a member's name calls a secret. A known value
 * shorter than six characters is taken out where it is a whole value, one shorter than four not at all: it would be a
 * part of ordinary words.
 */
export async function capture(
  resolvedConfig: Readonly<JsonObject>,
  request: { name: string; description: string | null },
  known: readonly KnownValue[],
  find: FindKnown,
): Promise<Capture> {
  const taken = CAPTURED_FIELDS.filter((field) => Object.hasOwn(resolvedConfig, field));
  const config = taken.map((field): [CapturedField, unknown] => [field, resolvedConfig[field]]);
  const texts = textsToRedact([...config.map(([, value]) => value), ...Object.values(request)]);
  const found = await find(await inTurns(Mentions.in(texts)));
  const redactor = new Redactor([...known, ...found], ALL_KINDS);
  const captured = await inTurns(strip(config, request, redactor));
  if (redactor.replaced.length === 0) return captured;
  // With placeholders in them texts may spell what they did not before.
  const isFound = new Set(found.map(({ text }) => text));
  const spelled = await find(await inTurns(Mentions.in(redactor.replaced)));
  const others = spelled.filter(({ text }) => !isFound.has(text));
  if (others.length === 0) return captured;
  return inTurns(strip(config, request, new Redactor([...known, ...found, ...others], ALL_KINDS)));
}

function* strip(
  config: readonly [CapturedField, unknown][],
  request: { name: string; description: string | null },
  redactor: Redactor,
): Steps<Capture> {
  const stripped: Stripped[][] = [];
  function* stripOne(value: unknown, field: string): Steps<unknown> {
    const result = yield* redactJson(value, jsonPointer(field), redactor, ALL_KINDS);
    stripped.push(result.stripped);
    return result.value;
  }
  const fields: Capture['fields'] = {};
  for (const [field, value] of config) fields[field] = yield* stripOne(value, field);
  const name = ((yield* stripOne(request.name, 'name')) as string | undefined) ?? 'Saved recipe';
  const description = ((yield* stripOne(request.description, 'description')) as string | undefined) ?? null;
  // A placeholder may be longer than what it stands for.
  return { fields, name: name.slice(0, 200), description, stripped: stripped.flat() };
}

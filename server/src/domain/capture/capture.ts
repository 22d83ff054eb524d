import { jsonPointer } from '../composition/json-pointer.ts';
import { redactJson, type Stripped } from './redacted-json.ts';
import { type KnownValue, Redactor } from './redaction.ts';
import type { StrippedKind } from './secret-keys.ts';

type JsonObject = Record<string, unknown>;

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

const ALL_KINDS: ReadonlySet<StrippedKind> = new Set<StrippedKind>([
  'customer_id',
  'api_key',
  'phone_number',
  'email',
  'credential',
  'secret',
  'instance_id',
]);

export interface Capture {
  fields: Partial<Record<CapturedField, unknown>>;
  /** How the recipe is called, by who saves it. */
  name: string;
  description: string | null;
  /** Pointers into the instance's resolved configuration; `/name` and `/description` for the request's own. */
  stripped: Stripped[];
}

/**
 * Makes a recipe of an instance's configuration. Whatever `known` holds, and e-mail addresses, phone numbers and keys
 * that show by their form, appear nowhere in it; nor does what a member's name calls a secret. A known value shorter
 * than six characters is taken out where it is a whole value, one shorter than four not at all: it would be a part
 * of ordinary words.
 */
export function capture(
  resolvedConfig: Readonly<JsonObject>,
  request: { name: string; description: string | null },
  known: readonly KnownValue[],
): Capture {
  const redactor = new Redactor(known, ALL_KINDS);
  const stripped: Stripped[][] = [];
  const strip = (value: unknown, field: string) => {
    const result = redactJson(value, jsonPointer(field), redactor, ALL_KINDS);
    stripped.push(result.stripped);
    return result.value;
  };
  const taken = CAPTURED_FIELDS.filter((field) => Object.hasOwn(resolvedConfig, field));
  const fields = Object.fromEntries(taken.map((field) => [field, strip(resolvedConfig[field], field)]));
  const name = (strip(request.name, 'name') as string | undefined) ?? 'Saved recipe';
  const description = (strip(request.description, 'description') as string | undefined) ?? null;
  // A placeholder may be longer than what it stands for.
  return { fields, name: name.slice(0, 200), description, stripped: stripped.flat() };
}

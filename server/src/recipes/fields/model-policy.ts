import Type, { type TSchema } from 'typebox';
import { isJsonObject, type JsonObject } from '../../platform/json/json-object.ts';
import { jsonPointer } from '../../platform/json/json-pointer.ts';
import type { KnownModels } from '../surroundings.db.ts';
import type { ActingKey } from './acting-key.ts';
import { isInRange, readKey } from './read-key.ts';

const MAX_NAME = 300;
const MAX_NAMES = 100;

interface ModelPolicyKey extends ActingKey {
  /** The value is a model's name or a list of names. */
  namesModels: boolean;
}

const key = (shape: TSchema, expected: string, namesModels = false): ModelPolicyKey => ({
  by: 'control_plane',
  shape,
  expected,
  namesModels,
});

const ModelName = Type.String({ minLength: 1, maxLength: MAX_NAME });
const model = key(ModelName, `a model’s name of at most ${MAX_NAME} characters`, true);
const models = key(
  Type.Array(ModelName, { maxItems: MAX_NAMES }),
  `a list of at most ${MAX_NAMES} models’ names`,
  true,
);

const Budget = Type.Object(
  {
    monthly_cost: Type.Optional(
      Type.Union([
        Type.Number({ minimum: 0, maximum: 1e12 }),
        Type.String({ pattern: '^\\d{1,12}(?:\\.\\d{1,12})?$' }),
        Type.Null(),
      ]),
    ),
    monthly_tokens: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()]),
    ),
    per: Type.Optional(Type.Union([Type.Literal('instance'), Type.Literal('customer'), Type.Null()])),
  },
  // Strict, because a misspelt limit would be ignored.
  { additionalProperties: false },
);

/** The keys that act (contract 12). No other key names models. */
export const MODEL_POLICY_KEYS: Readonly<Record<string, ModelPolicyKey>> = {
  model,
  default_model: model,
  primary_model: model,
  fallback_models: models,
  allowed_models: models,
  temperature: key(Type.Number({ minimum: 0, maximum: 2 }), 'a number from 0 to 2'),
  max_output_tokens: key(Type.Integer({ minimum: 1, maximum: 10_000_000 }), 'an integer from 1'),
  budget: key(
    Budget,
    'an object with monthly_cost (≥ 0), monthly_tokens (an integer ≥ 0) and per ("instance" or "customer"); until then nothing may be spent',
  ),
};

/** null: no limit. */
interface ModelBudget {
  /** US dollars as decimal text. */
  monthly_cost: string | null;
  monthly_tokens: number | null;
  per: 'instance' | 'customer';
}

export interface ModelPolicy {
  /** undefined: the service's default. */
  model: string | undefined;
  fallback_models: readonly string[];
  allowed_models: readonly string[];
  temperature: number | undefined;
  max_output_tokens: number | undefined;
  /** null: unlimited. */
  budget: ModelBudget | null;
}

const ZERO_BUDGET: ModelBudget = { monthly_cost: '0', monthly_tokens: 0, per: 'instance' };

/** An invalid value counts as absent; an invalid budget as a budget of 0. */
export function readModelPolicy({ model_policy }: JsonObject): ModelPolicy {
  const policy = isJsonObject(model_policy) ? model_policy : {};
  const valid = (name: string): unknown => {
    const acting = MODEL_POLICY_KEYS[name];
    return acting && readKey(acting, policy[name]);
  };
  const names = (name: string) => (valid(name) ?? []) as string[];
  const number = (name: string) => valid(name) as number | undefined;
  return {
    model: (valid('model') ?? valid('default_model') ?? valid('primary_model')) as string | undefined,
    fallback_models: names('fallback_models'),
    allowed_models: names('allowed_models'),
    temperature: number('temperature'),
    max_output_tokens: number('max_output_tokens'),
    budget: (policy.budget ?? null) === null ? null : budgetOf(valid('budget') as JsonObject | undefined),
  };
}

function budgetOf(valid: JsonObject | undefined): ModelBudget {
  if (!valid) return ZERO_BUDGET;
  const { monthly_cost, monthly_tokens, per } = valid;
  return {
    monthly_cost: (monthly_cost ?? null) === null ? null : decimalOf(monthly_cost),
    monthly_tokens: (monthly_tokens ?? null) as number | null,
    per: per === 'customer' ? 'customer' : 'instance',
  };
}

/** PostgreSQL parses exponents, so the shortest text of a number is exact. */
const decimalOf = (value: unknown): string => String(value);

interface NamedModel {
  /** A JSON pointer into the configuration. */
  path: string;
  model: string;
}

/** Ignores invalid values, which effectsOf reports. */
export function namedModels({ model_policy }: { model_policy?: unknown }): NamedModel[] {
  const policy = isJsonObject(model_policy) ? model_policy : {};
  return Object.entries(MODEL_POLICY_KEYS).flatMap(([name, acting]) => {
    const value = policy[name];
    if (!acting.namesModels || !isInRange(acting, value)) return [];
    return Array.isArray(value)
      ? value.map((item, index) => ({ path: jsonPointer('model_policy', name, index), model: String(item) }))
      : [{ path: jsonPointer('model_policy', name), model: String(value) }];
  });
}

/** Models that are neither in the catalogue nor the default nor of a tenant's provider. */
export function unknownModels(config: { model_policy?: unknown }, known: KnownModels): NamedModel[] {
  const isKnown = (name: string) =>
    known.models.has(name) || known.default_model === name || known.providers.has(prefixOf(name));
  return namedModels(config).filter(({ model }) => !isKnown(model));
}

/** The prefix `mine` of `mine/large-model`; '' without one. */
export const prefixOf = (model: string): string => model.slice(0, Math.max(0, model.indexOf('/')));

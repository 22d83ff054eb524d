import Type, { type TSchema } from 'typebox';
import { isJsonObject, type JsonObject } from '../../platform/json/json-object.ts';
import { jsonPointer } from '../../platform/json/json-pointer.ts';
import type { KnownModels } from '../surroundings.db.ts';
import type { ActingKey } from './acting-key.ts';
import { isInRange, readKey } from './read-key.ts';

const MAX_NAME = 300;
const MAX_NAMES = 100;

interface ModelPolicyKey extends ActingKey {
  /** The value is a model’s name, or a list of them. */
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
  // A misspelt limit would be none.
  { additionalProperties: false },
);

/** The keys that act (contract 12). Nothing else in a policy is a model to anybody. */
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

/** A limit on what a month may cost. null: no such limit. */
export interface ModelBudget {
  /** US dollars, decimal text. */
  monthly_cost: string | null;
  monthly_tokens: number | null;
  per: 'instance' | 'customer';
}

export interface ModelPolicy {
  /** undefined: the service's own. */
  model: string | undefined;
  fallback_models: readonly string[];
  allowed_models: readonly string[];
  temperature: number | undefined;
  max_output_tokens: number | undefined;
  /** null: none. */
  budget: ModelBudget | null;
}

const NOTHING: ModelBudget = { monthly_cost: '0', monthly_tokens: 0, per: 'instance' };

/** The `model_policy` of a configuration. An invalid value counts as absent, an invalid budget as one of nothing. */
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
  if (!valid) return NOTHING;
  const { monthly_cost, monthly_tokens, per } = valid;
  return {
    monthly_cost: (monthly_cost ?? null) === null ? null : decimalOf(monthly_cost),
    monthly_tokens: (monthly_tokens ?? null) as number | null,
    per: per === 'customer' ? 'customer' : 'instance',
  };
}

/** PostgreSQL reads exponents too, so the shortest text of a number is exact enough for either. */
const decimalOf = (value: unknown): string => String(value);

interface NamedModel {
  /** A JSON pointer into the configuration. */
  path: string;
  model: string;
}

/** The models that a configuration names. An invalid value is reported where the keys are checked, and names none. */
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

/** The models among them that nothing is known of. */
export function unknownModels(config: { model_policy?: unknown }, known: KnownModels): NamedModel[] {
  const isKnown = (name: string) =>
    known.models.has(name) || known.default_model === name || known.providers.has(prefixOf(name));
  return namedModels(config).filter(({ model }) => !isKnown(model));
}

/** The provider that a name such as `mine/large-model` names; '' without one. */
export const prefixOf = (model: string): string => model.slice(0, Math.max(0, model.indexOf('/')));

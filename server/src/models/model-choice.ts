import type { Queryable, TenantQueryable } from '../platform/db/queryable.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { type ModelPolicy, prefixOf } from '../recipes/fields/model-policy.ts';
import { limitAt } from './dialects.ts';
import type { LlmEndpoint } from './llm-client.port.ts';
import {
  DEFAULT_PROVIDER,
  type ProviderServices,
  readProviders,
  readTenantProviders,
} from './llm-providers.ts';
import { type CatalogueModel, listModelsNamed } from './model-choice.db.ts';

/** The assumed largest output when neither request, policy nor catalogue limits it. */
export const ASSUMED_OUTPUT_TOKENS = 16_384;
/** More than any model generates, and small enough that sums of many reservations do not overflow. */
const MOST_OUTPUT_TOKENS = 10_000_000;

export interface Candidate {
  /** As its provider names it. */
  model: string;
  provider: string;
  endpoint: LlmEndpoint;
  /** null at a tenant's own provider, and for a model that is not in the catalogue. */
  prices: CatalogueModel['prices'] | null;
  is_operators: boolean;
  max_output_tokens: number | null;
  /** Tried only after a provider did not know a model. */
  is_last_resort: boolean;
}

interface Choice {
  asked_model: string;
  /** In the order of attempts; empty without a provider. */
  candidates: Candidate[];
}

/** The requested model if the policy allows it, else the policy's, else the service's own, else the requested one. */
export function askedModel(policy: ModelPolicy, named: unknown, own: string | undefined): string | undefined {
  if (typeof named === 'string' && policy.allowed_models.includes(named)) return named;
  return policy.model ?? own ?? (typeof named === 'string' && named !== '' ? named : undefined);
}

/** First the asked model, then the fallbacks, then the service's own. */
export async function chooseModels(
  services: ProviderServices,
  { q, system }: { q: TenantQueryable; system: Queryable },
  policy: ModelPolicy,
  named: unknown,
): Promise<Choice | undefined> {
  const own = services.settings.llm?.model;
  const asked_model = askedModel(policy, named, own);
  if (asked_model === undefined) return undefined;
  const names = [...new Set([asked_model, ...policy.fallback_models])];
  const isOwnNew = own !== undefined && !names.includes(own);
  const all = isOwnNew ? [...names, own] : names;
  const [models, providers, tenants] = await Promise.all([
    system.run(listModelsNamed(all)),
    readProviders(services, system),
    readTenantProviders(services, q, [...new Set(all.map(prefixOf).filter((slug) => slug !== ''))]),
  ]);
  const candidates = all.flatMap((name): Candidate[] => {
    const found = tenantsCandidate(name, tenants) ?? operatorsCandidate(name, models, providers);
    return found ? [{ ...found, is_last_resort: isOwnNew && name === own }] : [];
  });
  return { asked_model, candidates };
}

type Found = Omit<Candidate, 'is_last_resort'>;

function tenantsCandidate(name: string, providers: ReadonlyMap<string, LlmEndpoint>): Found | undefined {
  const provider = prefixOf(name);
  const endpoint = providers.get(provider);
  if (!endpoint) return undefined;
  const model = name.slice(provider.length + 1);
  return { model, provider, endpoint, prices: null, is_operators: false, max_output_tokens: null };
}

/** @param name id or slug */
export const entryOf = (name: string, models: readonly CatalogueModel[]): CatalogueModel | undefined =>
  models.find(({ model_id }) => model_id === name) ?? models.find(({ slug }) => slug === name);

/** A catalogue model is served by its registered provider, any other by the default one. */
function operatorsCandidate(
  name: string,
  models: readonly CatalogueModel[],
  providers: ReadonlyMap<string, LlmEndpoint>,
): Found | undefined {
  const entry = entryOf(name, models);
  const registered = entry?.provider ?? DEFAULT_PROVIDER;
  const provider = providers.has(registered) ? registered : DEFAULT_PROVIDER;
  const endpoint = providers.get(provider);
  if (!endpoint) return undefined;
  return {
    model: entry?.model_id ?? name,
    provider,
    endpoint,
    prices: entry?.prices ?? null,
    is_operators: true,
    max_output_tokens: entry?.max_output_tokens ?? null,
  };
}

/** The request for a candidate, and its largest possible output. */
export interface ModelRequest {
  body: JsonObject;
  max_output_tokens: number;
}

/** The policy's temperature and output limit are defaults and upper limits of the request's. */
export function requestFor(candidate: Candidate, policy: ModelPolicy, asked: JsonObject): ModelRequest {
  const body: JsonObject = { ...asked, model: candidate.model };
  if (policy.temperature !== undefined) {
    body.temperature =
      typeof asked.temperature === 'number'
        ? Math.min(asked.temperature, policy.temperature)
        : policy.temperature;
  }
  const names = outputFieldsIn(asked, candidate);
  const given = smallest(...names.map((name) => positiveIn(asked, name)));
  // Without a limit, a model that is not in the catalogue could cost more than was reserved, in whichever budget.
  const needed = candidate.max_output_tokens === null ? ASSUMED_OUTPUT_TOKENS : undefined;
  const limit = smallest(given, policy.max_output_tokens) ?? needed;
  if (limit !== undefined) for (const name of names) body[name] = limit;
  if (asked.stream === true) {
    body.stream_options = { include_usage: true };
  }
  const ofOne = smallest(limit, candidate.max_output_tokens ?? undefined) ?? ASSUMED_OUTPUT_TOKENS;
  const max_output_tokens = Math.min(ofOne, MOST_OUTPUT_TOKENS);
  return { body, max_output_tokens };
}

const smallest = (...numbers: readonly (number | undefined)[]): number | undefined => {
  const known = numbers.filter((number) => number !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};

const OUTPUT_FIELDS = ['max_completion_tokens', 'max_tokens'] as const;

/** Every limit field of the request is set, since providers differ in which they honour. Default: by the address. */
function outputFieldsIn(asked: JsonObject, { endpoint }: Candidate): readonly string[] {
  const given = OUTPUT_FIELDS.filter((name) => (asked[name] ?? null) !== null);
  return given.length > 0 ? given : [limitAt(endpoint.base_url)];
}

const positiveIn = (asked: JsonObject, name: string): number | undefined =>
  Number.isSafeInteger(asked[name]) && Number(asked[name]) > 0 ? Number(asked[name]) : undefined;

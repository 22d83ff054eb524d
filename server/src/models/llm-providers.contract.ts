import Type, { type Static } from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Nullable,
  PageOf,
  PageQuery,
  params,
  query,
  secret,
  Timestamp,
} from '../platform/contract/shapes.ts';

const tag = 'Models';

const Slug = Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,62}$' });
const ProviderParams = params({ slug: about(Slug, 'The provider’s name, as models name it') });

export const LlmProvider = NamedObject('LlmProvider', {
  slug: Slug,
  base_url: about(Type.String(), 'An OpenAI-compatible endpoint'),
  created_at: Timestamp,
  updated_at: Timestamp,
});

/** Paths are appended to it, and it is shown to users, so it has neither a query, a fragment nor credentials. */
const BASE_URL = '^\\s*[Hh][Tt][Tt][Pp][Ss]?:[/\\\\]*[^/\\\\?#@]+(?:[/\\\\][^?#]*)?$';

export const LlmProviderPut = NamedObject('LlmProviderPut', {
  base_url: about(
    Type.String({ format: 'http-url', maxLength: 1000, pattern: BASE_URL }),
    'An OpenAI-compatible endpoint, as https://api.openai.com/v1',
  ),
  api_key: about(
    // Only characters that are valid in a header: a pasted line break would make every call fail.
    secret(Type.String({ maxLength: 4000, pattern: '^[\\x20-\\x7e]*$' })),
    'Its key, encrypted and never returned; empty for an endpoint without one',
  ),
});
export type LlmProviderPut = Static<typeof LlmProviderPut>;

const ProviderCheck = NamedObject('LlmProviderCheck', {
  ok: about(Type.Boolean(), 'Whether it answered'),
  latency_ms: Type.Integer(),
  error: about(Nullable(Type.String()), 'Why it does not answer, without its key'),
});

const ProviderModels = NamedObject('LlmProviderModels', {
  items: Type.Array(
    NamedObject('LlmProviderModel', { id: about(Type.String(), 'As `model` of a call names it') }),
  ),
});

const operators = { tag, credential: 'operations', scope: null } as const;

export const listLlmProviders = operation({
  ...operators,
  id: 'list_llm_providers',
  method: 'GET',
  path: '/internal/v1/llm-providers',
  summary: 'List the operator’s model providers',
  description:
    'Without their keys, and without the one of the LLM_ settings, which is `default` unless one of that name is stored.',
  query: query(PageQuery),
  responses: { 200: PageOf(LlmProvider) },
});

export const getLlmProvider = operation({
  ...operators,
  id: 'get_llm_provider',
  method: 'GET',
  path: '/internal/v1/llm-providers/{slug}',
  summary: 'Get a model provider of the operator',
  description: 'Without its key.',
  params: ProviderParams,
  responses: { 200: LlmProvider },
});

export const putLlmProvider = operation({
  ...operators,
  id: 'put_llm_provider',
  method: 'PUT',
  path: '/internal/v1/llm-providers/{slug}',
  summary: 'Make or replace a model provider of the operator',
  description:
    'Models of the catalogue name it in `provider`; `default` serves all others, and takes precedence over the LLM_ settings.',
  params: ProviderParams,
  body: LlmProviderPut,
  responses: { 200: LlmProvider },
});

export const deleteLlmProvider = operation({
  ...operators,
  id: 'delete_llm_provider',
  method: 'DELETE',
  path: '/internal/v1/llm-providers/{slug}',
  summary: 'Remove a model provider of the operator',
  description: 'Its models go to `default` from then on.',
  params: ProviderParams,
  responses: { 204: null },
});

export const checkLlmProvider = operation({
  ...operators,
  id: 'check_llm_provider',
  method: 'POST',
  path: '/internal/v1/llm-providers/{slug}/check',
  summary: 'Try a model provider of the operator',
  description:
    'Asks for its models, with its key, for at most 10 seconds. `default` is that of the LLM_ settings unless one is stored.',
  params: ProviderParams,
  changesNothing: true,
  responses: { 200: ProviderCheck },
});

export const listLlmProviderModels = operation({
  ...operators,
  id: 'list_llm_provider_models',
  method: 'GET',
  path: '/internal/v1/llm-providers/{slug}/models',
  summary: 'Ask a model provider of the operator for its models',
  description: 'Asked now, with its key, for at most 10 seconds; 502 where it does not answer.',
  params: ProviderParams,
  responses: { 200: ProviderModels },
  failures: [502],
});

const tenants = { tag, credential: 'admin' } as const;

export const listTenantLlmProviders = operation({
  ...tenants,
  id: 'list_tenant_llm_providers',
  method: 'GET',
  path: '/v1/llm-providers',
  summary: 'List your own model providers',
  description:
    'Without their keys. The model `<slug>/<name>` goes to the provider `<slug>`, at your own cost.',
  scope: 'models:read',
  query: query(PageQuery),
  responses: { 200: PageOf(LlmProvider) },
});

export const getTenantLlmProvider = operation({
  ...tenants,
  id: 'get_tenant_llm_provider',
  method: 'GET',
  path: '/v1/llm-providers/{slug}',
  summary: 'Get a model provider of your own',
  description: 'Without its key.',
  scope: 'models:read',
  params: ProviderParams,
  responses: { 200: LlmProvider },
});

export const putTenantLlmProvider = operation({
  ...tenants,
  id: 'put_tenant_llm_provider',
  method: 'PUT',
  path: '/v1/llm-providers/{slug}',
  summary: 'Make or replace a model provider of your own',
  description: 'A public https address. The model `<slug>/<name>` goes there, at your own cost.',
  scope: 'models:write',
  params: ProviderParams,
  body: LlmProviderPut,
  responses: { 200: LlmProvider },
});

export const deleteTenantLlmProvider = operation({
  ...tenants,
  id: 'delete_tenant_llm_provider',
  method: 'DELETE',
  path: '/v1/llm-providers/{slug}',
  summary: 'Remove a model provider of your own',
  description: 'A model of that prefix goes to the operator’s provider from then on, as any other name.',
  scope: 'models:delete',
  params: ProviderParams,
  responses: { 204: null },
});

export const checkTenantLlmProvider = operation({
  ...tenants,
  id: 'check_tenant_llm_provider',
  method: 'POST',
  path: '/v1/llm-providers/{slug}/check',
  summary: 'Try a model provider of your own',
  description: 'Asks for its models, with its key, for at most 10 seconds.',
  scope: 'models:write',
  params: ProviderParams,
  changesNothing: true,
  responses: { 200: ProviderCheck },
});

export const listTenantLlmProviderModels = operation({
  ...tenants,
  id: 'list_tenant_llm_provider_models',
  method: 'GET',
  path: '/v1/llm-providers/{slug}/models',
  summary: 'Ask a model provider of your own for its models',
  description: 'Asked now, with its key, for at most 10 seconds; 502 where it does not answer.',
  scope: 'models:read',
  params: ProviderParams,
  responses: { 200: ProviderModels },
  failures: [502],
});

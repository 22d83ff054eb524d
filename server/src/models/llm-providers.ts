import type { Queryable, TenantQueryable } from '../platform/db/queryable.ts';
import { found, invalid } from '../platform/errors.ts';
import { signalAfter } from '../platform/signal-after.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { seal } from '../secrets/sealing.ts';
import { openedOr } from '../secrets/unreadable.ts';
import type { LlmClient, LlmEndpoint } from './llm-client.port.ts';
import type { LlmProviderPut } from './llm-providers.contract.ts';
import {
  listStoredProviders,
  listStoredTenantProviders,
  putProvider,
  putTenantProvider,
  type StoredProvider,
} from './llm-providers.db.ts';
import { reasonOf } from './provider-failures.ts';

/** Serves all models whose provider is not registered. */
export const DEFAULT_PROVIDER = 'default';

export const CHECK_TIMEOUT_MS = 10_000;

/** Binds the sealed key to its provider: in another row, it does not open. */
const context = (slug: string) => `llm-provider:${slug}`;

export interface ProviderServices {
  keyring: Pick<Keyring, 'seal' | 'open' | 'openUnder' | 'serviceKey'>;
  llmClient: LlmClient;
  settings: { llm: { base_url: string; api_key: string; model: string } | undefined };
}

export function saveProvider(
  { keyring }: ProviderServices,
  system: Queryable,
  slug: string,
  { base_url, api_key }: LlmProviderPut,
) {
  const sealed_api_key = seal(keyring.serviceKey('llm-providers'), api_key, context(slug));
  return system.run(putProvider({ slug, base_url, sealed_api_key }));
}

/** 422 for an address that is not public. */
export async function saveTenantProvider(
  { keyring, llmClient }: ProviderServices,
  q: TenantQueryable,
  slug: string,
  { base_url, api_key }: LlmProviderPut,
) {
  if (!llmClient.mayName(base_url)) {
    throw invalid(['body', 'base_url'], 'Input should be an https URL of a public address');
  }
  const sealed_api_key = await keyring.seal(q, api_key, context(slug));
  return q.run(putTenantProvider({ slug, base_url, sealed_api_key }));
}

/** By name, with the provider of the settings as `default`, unless the operator has registered one. */
export async function readProviders(
  { keyring, settings }: ProviderServices,
  system: Queryable,
): Promise<Map<string, LlmEndpoint>> {
  const { llm } = settings;
  const providers = new Map<string, LlmEndpoint>();
  if (llm)
    providers.set(DEFAULT_PROVIDER, { base_url: llm.base_url, api_key: llm.api_key, is_outside: false });
  for (const { slug, base_url, sealed_api_key } of await system.run(listStoredProviders())) {
    const opening = async () => keyring.openUnder('llm-providers', sealed_api_key, context(slug));
    const api_key = await openedOr(opening(), undefined);
    if (api_key !== undefined) providers.set(slug, { base_url, api_key, is_outside: false });
  }
  return providers;
}

export async function readTenantProviders(
  { keyring }: ProviderServices,
  q: TenantQueryable,
  slugs: readonly string[],
): Promise<Map<string, LlmEndpoint>> {
  if (slugs.length === 0) return new Map();
  const endpointOf = async ({
    slug,
    base_url,
    sealed_api_key,
  }: StoredProvider): Promise<[string, LlmEndpoint][]> => {
    const api_key = await openedOr(keyring.open(q, sealed_api_key, context(slug)), undefined);
    return api_key === undefined ? [] : [[slug, { base_url, api_key, is_outside: true }]];
  };
  const opened = await Promise.all((await q.run(listStoredTenantProviders(slugs))).map(endpointOf));
  return new Map(opened.flat());
}

export interface ProviderCheck {
  ok: boolean;
  latency_ms: number;
  error: string | null;
}

export const checkProvider = async (services: ProviderServices, system: Queryable, slug: string) =>
  checkEndpoint(services.llmClient, found('Provider', (await readProviders(services, system)).get(slug)));

/** Gives no reason for an inner address, because reasons would tell about its ports and servers. */
export async function checkTenantProvider(
  services: ProviderServices,
  q: TenantQueryable,
  slug: string,
): Promise<ProviderCheck> {
  const endpoint = found('Provider', (await readTenantProviders(services, q, [slug])).get(slug));
  const check = await checkEndpoint(services.llmClient, endpoint);
  const isHidden = check.error !== null && services.llmClient.isInside(endpoint.base_url);
  return isHidden ? { ...check, error: 'It did not answer as a model provider does' } : check;
}

/** Lists the endpoint's models, because that costs nothing. */
export async function checkEndpoint(client: LlmClient, endpoint: LlmEndpoint): Promise<ProviderCheck> {
  const began = performance.now();
  const signal = signalAfter(CHECK_TIMEOUT_MS);
  const error = await client.send(endpoint, { method: 'GET', path: '/models' }, signal).then(
    async ({ status, body }) => {
      const reason = status >= 200 && status < 300 ? null : await reasonOf(endpoint, status, body);
      await close(body);
      return reason;
    },
    (failure: unknown) =>
      signal.aborted ? `No answer within ${CHECK_TIMEOUT_MS / 1000} s` : unreachable(failure),
  );
  return { ok: error === null, latency_ms: Math.round(performance.now() - began), error };
}

async function close(body: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const _ of body) break;
  } catch {
    // It was closed already.
  }
}

/** Describes a failure to connect, without the resolved address. */
export function unreachable(failure: unknown): string {
  const cause: unknown = failure instanceof Error && failure.cause ? failure.cause : failure;
  if (cause instanceof Error && cause.message.endsWith('is not a public https address')) return cause.message;
  const code = (cause as { code?: unknown }).code;
  return `Not reachable${typeof code === 'string' ? ` (${code})` : ''}`;
}

import type { Database } from '../platform/db/database.ts';
import type { Log } from '../platform/ports.ts';
import type { LlmEndpoint } from './llm-client.port.ts';
import {
  checkEndpoint,
  DEFAULT_PROVIDER,
  type ProviderCheck,
  type ProviderServices,
  readProviders,
} from './llm-providers.ts';
import type { ModelMetrics } from './model-metrics.ts';

/**
 * Logs each provider of the operator that does not answer. Never rejects: the service works without them.
 * @returns a line about the service's own model; undefined without one
 */
export async function checkProviders(
  services: ProviderServices & { db: Database; log: Log; modelMetrics: ModelMetrics },
): Promise<string | undefined> {
  const { db, log, llmClient, modelMetrics } = services;
  try {
    const providers = [...(await readProviders(services, db.system))];
    if (providers.length === 0) return undefined;
    const checks = await Promise.all(providers.map(([, endpoint]) => checkEndpoint(llmClient, endpoint)));
    modelMetrics.setUp(checks.every(({ ok }) => ok));
    for (const [index, { ok, error }] of checks.entries()) {
      if (!ok) log.warn({ provider: providers[index]?.[0], error }, 'a model provider does not answer');
    }
    const own = providers.findIndex(([slug]) => slug === DEFAULT_PROVIDER);
    return ownModelLine(services, providers[own]?.[1], checks[own]);
  } catch (error) {
    log.warn({ err: error }, 'the model providers could not be checked');
    return undefined;
  }
}

const MOST_LENGTH = 200;

function ownModelLine(
  { settings: { llm } }: ProviderServices,
  endpoint: LlmEndpoint | undefined,
  check: ProviderCheck | undefined,
): string | undefined {
  if (!llm || !endpoint || !check) return undefined;
  const { error } = check;
  // A terminal would act on control characters of a provider's words.
  const words = error?.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').slice(0, MOST_LENGTH);
  return `${llm.model} at ${endpoint.base_url}${words === undefined ? '' : ` (${words})`}`;
}

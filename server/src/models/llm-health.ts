import type { Database } from '../platform/db/database.ts';
import type { Log } from '../platform/ports.ts';
import { checkEndpoint, type ProviderServices, readProviders } from './llm-providers.ts';
import type { ModelMetrics } from './model-metrics.ts';

/** Logs each provider of the operator that does not answer. Never rejects: the service works without them. */
export async function checkProviders(
  services: ProviderServices & { db: Database; log: Log; modelMetrics: ModelMetrics },
): Promise<void> {
  const { db, log, llmClient, modelMetrics } = services;
  try {
    const providers = [...(await readProviders(services, db.system))];
    if (providers.length === 0) return;
    const checks = await Promise.all(providers.map(([, endpoint]) => checkEndpoint(llmClient, endpoint)));
    modelMetrics.setUp(checks.every(({ ok }) => ok));
    for (const [index, { ok, error }] of checks.entries()) {
      if (!ok) log.warn({ provider: providers[index]?.[0], error }, 'a model provider does not answer');
    }
  } catch (error) {
    log.warn({ err: error }, 'the model providers could not be checked');
  }
}

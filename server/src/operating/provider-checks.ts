import { LRUCache } from 'lru-cache';
import { checkEndpoint, type ProviderServices, readProviders } from '../models/llm-providers.ts';
import type { SystemDb } from '../platform/db/queryable.ts';

interface CheckedProvider {
  slug: string;
  ok: boolean;
  at: Date;
  error: string | null;
}

/** Pages ask again and again, and each check is a request to the provider. */
const TRUSTED_MS = 30_000;
const MAX_PROVIDERS = 100;

/** Asks the operator's model providers. A check of one that has not changed is shared for a while. */
export class ProviderChecks {
  readonly #checks = new LRUCache<string, Promise<CheckedProvider>>({ max: MAX_PROVIDERS, ttl: TRUSTED_MS });

  async read(services: ProviderServices, system: SystemDb): Promise<CheckedProvider[]> {
    const providers = [...(await readProviders(services, system))];
    return Promise.all(
      providers.map(([slug, endpoint]) => {
        const key = JSON.stringify([slug, endpoint]);
        const check =
          this.#checks.get(key) ??
          checkEndpoint(services.llmClient, endpoint).then(({ ok, error }) => ({
            slug,
            ok,
            at: system.now,
            error,
          }));
        this.#checks.set(key, check, { noUpdateTTL: true });
        return check;
      }),
    );
  }
}

import type { RowOf } from '../platform/db/rows.ts';
import { fragment, NOW, sql } from '../platform/db/sql.ts';
import type { LlmProvider } from './llm-providers.contract.ts';

type ProviderRow = RowOf<typeof LlmProvider>;

export interface StoredProvider {
  slug: string;
  base_url: string;
  sealed_api_key: Buffer;
}

const columns = fragment('slug, base_url, created_at, updated_at');

export const listProviders = (limit: number, offset: number) =>
  sql<ProviderRow & { total: number }>`
    select ${columns}, count(*) over () as total from llm_providers
    order by created_at desc, slug limit ${limit} offset ${offset}`;

export const listTenantProviders = (limit: number, offset: number) =>
  sql<ProviderRow & { total: number }>`
    select ${columns}, count(*) over () as total from tenant_llm_providers
    order by created_at desc, slug limit ${limit} offset ${offset}`;

export const findProvider = (slug: string) =>
  sql<ProviderRow>`select ${columns} from llm_providers where slug = ${slug}`.first();

export const findTenantProvider = (slug: string) =>
  sql<ProviderRow>`select ${columns} from tenant_llm_providers where slug = ${slug}`.first();

/** All providers of the operator, which are few. In the system scope. */
export const listStoredProviders = () =>
  sql<StoredProvider>`select slug, base_url, sealed_api_key from llm_providers order by slug`;

export const listStoredTenantProviders = (slugs: readonly string[]) =>
  sql<StoredProvider>`
    select slug, base_url, sealed_api_key from tenant_llm_providers where slug = any (${slugs})`;

export const putProvider = ({ slug, base_url, sealed_api_key }: StoredProvider) =>
  sql<ProviderRow>`
    insert into llm_providers as p (slug, base_url, sealed_api_key) values (${slug}, ${base_url}, ${sealed_api_key})
    on conflict (slug) do update set base_url = excluded.base_url, sealed_api_key = excluded.sealed_api_key,
      updated_at = greatest(p.updated_at, ${NOW})
    returning ${columns}`.one();

export const putTenantProvider = ({ slug, base_url, sealed_api_key }: StoredProvider) =>
  sql<ProviderRow>`
    insert into tenant_llm_providers as p (tenant_id, slug, base_url, sealed_api_key)
    values (current_tenant(), ${slug}, ${base_url}, ${sealed_api_key})
    on conflict (tenant_id, slug) do update set base_url = excluded.base_url, sealed_api_key = excluded.sealed_api_key,
      updated_at = greatest(p.updated_at, ${NOW})
    returning ${columns}`.one();

export const deleteProvider = (slug: string) =>
  sql`delete from llm_providers where slug = ${slug} returning slug`.exists();

export const deleteTenantProvider = (slug: string) =>
  sql`delete from tenant_llm_providers where slug = ${slug} returning slug`.exists();

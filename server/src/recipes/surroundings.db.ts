import type { PrimitiveKind } from '../catalogue/primitives.contract.ts';
import type { ApprovedPrimitives } from '../catalogue/primitives.db.ts';
import { sql } from '../platform/db/sql.ts';
import type { Capabilities } from './manifests.contract.ts';

/** Models that are not considered misspelt. */
export interface KnownModels {
  /** Model ids and slugs of the catalogue. */
  models: ReadonlySet<string>;
  /** Slugs of the tenant's own providers. */
  providers: ReadonlySet<string>;
  /** LLM_MODEL. */
  default_model: string | undefined;
}

/** Everything that configurations are checked against. */
export interface Known {
  approved: ApprovedPrimitives;
  /** Active ones by id. */
  manifests: ReadonlyMap<string, Capabilities>;
  /** Ids of the tenant. */
  rules_templates: ReadonlySet<string>;
  onboarding_flows: ReadonlySet<string>;
  models: KnownModels;
}

interface KnownRow {
  approved: { kind: PrimitiveKind; slugs: string[] }[];
  manifests: { id: string; capabilities: Capabilities }[];
  rules_templates: string[];
  onboarding_flows: string[];
  models: string[];
  providers: string[];
}

/** @param default_model LLM_MODEL */
export const findKnown = (default_model?: string) =>
  sql<KnownRow>`
    select
      coalesce((select json_agg(a) from (select kind, array_agg(slug) as slugs from primitives group by kind) a), '[]')
        as approved,
      coalesce((select json_agg(m) from (select id, capabilities from manifests where is_active) m), '[]')
        as manifests,
      array(select id from rules_templates) as rules_templates,
      array(select id from onboarding_flows) as onboarding_flows,
      array(select unnest(array[model_id, slug]) from models where is_active) as models,
      array(select slug from tenant_llm_providers) as providers`
    .one()
    .map(
      ({ approved, manifests, rules_templates, onboarding_flows, models, providers }): Known => ({
        approved: new Map(approved.map(({ kind, slugs }) => [kind, new Set(slugs)])),
        manifests: new Map(manifests.map(({ id, capabilities }) => [id, capabilities])),
        rules_templates: new Set(rules_templates),
        onboarding_flows: new Set(onboarding_flows),
        models: { models: new Set(models), providers: new Set(providers), default_model },
      }),
    );

import type { Static, TObject } from 'typebox';
import { columnsOf, type RowOf } from '../platform/db/rows.ts';
import { fragment, NOW, sql } from '../platform/db/sql.ts';
import {
  type ConnectionSummary,
  CustomerSummary,
  EndpointSummary,
  type InstanceSummary,
  ModelSummary,
  PrimitiveSummary,
  type RecipeSummary,
  type RevisionSummary,
  type searchInstances,
} from './lists.contract.ts';

type Counted<Shape extends TObject> = RowOf<Shape> & { total: number };

/** Descriptions are cut to this many characters (lists.contract.ts). */
const description = fragment('left(description, 200) as description');
const customerColumns = columnsOf(CustomerSummary);
const endpointColumns = columnsOf(EndpointSummary);
const primitiveColumns = columnsOf(PrimitiveSummary);
const modelColumns = columnsOf(ModelSummary);

/** The tenant's own recipes, newest first, then the platform's templates. */
export const recipeSummaries = (search: string, limit: number, offset: number) =>
  sql<Counted<typeof RecipeSummary>>`
    select id, name, ${description}, revision, is_active, is_platform_template, hosting_mode, updated_at,
           count(*) over () as total
    from recipes
    where deleted_at is null and (${search}::text = ''
      or strpos(lower(concat_ws(' ', name, description)), lower(${search})) > 0)
    order by is_platform_template, created_at desc, id limit ${limit} offset ${offset}`;

/** A recipe's revisions, newest first. */
export const revisionSummaries = (recipe_id: string, limit: number, offset: number) =>
  sql<Counted<typeof RevisionSummary>>`
    select revision, content ->> 'name' as name, (content ->> 'is_active')::boolean as is_active, created_at,
           count(*) over () as total
    from recipe_revisions where recipe_id = ${recipe_id}
    order by revision desc limit ${limit} offset ${offset}`;

/** Customers, newest first. */
export const customerSummaries = (search: string, limit: number, offset: number) =>
  sql<Counted<typeof CustomerSummary>>`
    select ${customerColumns}, count(*) over () as total from customers
    where ${search}::text = '' or strpos(lower(concat_ws(' ', email, company_name)), lower(${search})) > 0
    order by created_at desc, id limit ${limit} offset ${offset}`;

type InstanceFilter = Partial<
  Pick<Static<(typeof searchInstances)['query'] & TObject>, 'status' | 'customer_id' | 'recipe_id'>
> & { search: string };

/** Instances, newest first. */
export const instanceSummaries = (filter: InstanceFilter, limit: number, offset: number) =>
  sql<Counted<typeof InstanceSummary>>`
    select id, hostname, status, customer_id, recipe_id, recipe_revision, template_name, hosting_mode,
           placed as deployment_count, tier_id, region_id,
           (select state from runtime_states where instance_id = i.id) as runtime, created_at,
           count(*) over () as total
    from instances i
    where (${filter.search}::text = '' or strpos(lower(hostname), lower(${filter.search})) > 0)
      and (${filter.status}::text is null or status = ${filter.status})
      and (${filter.recipe_id}::uuid is null or recipe_id = ${filter.recipe_id})
      and (${filter.customer_id}::uuid is null or exists (
        select from deployments d where d.instance_id = i.id and d.customer_id = ${filter.customer_id}))
    order by created_at desc, id limit ${limit} offset ${offset}`;

/** A customer's connections that are not revoked, newest first. */
export const connectionSummaries = (customer_id: string, search: string, limit: number, offset: number) =>
  sql<Counted<typeof ConnectionSummary>>`
    select id, provider, name, last_error, expires_at, created_at,
           case when expires_at <= ${NOW} or refused_at is not null then 'expired' else 'active' end as status,
           count(*) over () as total
    from connections
    where customer_id = ${customer_id} and revoked_at is null
      and (${search}::text = '' or strpos(lower(concat_ws(' ', provider, name)), lower(${search})) > 0)
    order by created_at desc, id limit ${limit} offset ${offset}`;

/** The tenant's numbers, newest first. */
export const endpointSummaries = (search: string, limit: number, offset: number) =>
  sql<Counted<typeof EndpointSummary>>`
    select ${endpointColumns}, count(*) over () as total from channel_endpoints
    where ${search}::text = ''
      or strpos(lower(concat_ws(' ', phone_number_id, connection_name)), lower(${search})) > 0
    order by created_at desc, id limit ${limit} offset ${offset}`;

/** Approved primitives, by kind and slug. */
export const primitiveSummaries = (
  { search, kind }: { search: string; kind?: string },
  limit: number,
  offset: number,
) =>
  sql<Counted<typeof PrimitiveSummary>>`
    select ${primitiveColumns}, count(*) over () as total from primitives
    where (${kind}::text is null or kind = ${kind})
      and (${search}::text = '' or strpos(lower(concat_ws(' ', slug, display_name)), lower(${search})) > 0)
    order by kind, slug limit ${limit} offset ${offset}`;

/** Active models (in the system scope). */
export const modelSummaries = (
  { search, modality }: { search: string; modality?: string },
  limit: number,
  offset: number,
) =>
  sql<Counted<typeof ModelSummary>>`
    select ${modelColumns}, count(*) over () as total from models
    where is_active and (${modality}::text is null or modality = ${modality})
      and (${search}::text = ''
        or strpos(lower(concat_ws(' ', model_id, display_name, provider)), lower(${search})) > 0)
    order by provider, model_id limit ${limit} offset ${offset}`;

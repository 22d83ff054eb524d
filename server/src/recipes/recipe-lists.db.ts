import { LEAST_UUID } from '../platform/db/rows.ts';
import { sql } from '../platform/db/sql.ts';
import type { RecipeSummary } from './recipes.contract.ts';
import { recipeJson } from './recipes.db.ts';

/** Sort key of the list: the tenant's own recipes, newest first, then platform templates. */
interface ListPosition {
  id: string;
  is_platform_template: boolean;
  /** Text, because Date lacks microseconds. */
  created_at: string;
}

export const LIST_START: ListPosition = {
  is_platform_template: false,
  created_at: 'infinity',
  id: LEAST_UUID,
};

interface ListedRecipe extends ListPosition {
  /** JSON. */
  recipe: string;
}

/** A page ends at `limit` recipes or once `bytes` are exceeded, but has at least one. */
export interface ListBounds {
  limit: number;
  bytes: number;
}

export interface ListPage {
  /** A hash of the visible rows' versions. */
  version: string;
  recipes: ListedRecipe[];
  isLast: boolean;
}

type MeasuredRecipe = ListedRecipe & { found: number };
type MeasuredRow = { version: string } & { [Key in keyof MeasuredRecipe]: MeasuredRecipe[Key] | null };

/**
 * The page after `last`; without recipes if the list still has the version `known`. Begins with `select`, so that it
 * can share a transaction with other reads.
 * @param search part of a name or description; empty for all recipes
 */
export const listRecipes = (last: ListPosition, bounds: ListBounds, known?: string, search = '') =>
  sql<MeasuredRow>`
    select version, id, is_platform_template, created_at::text as created_at, recipe, found from (with state as (
      select coalesce(
        encode(sha256(convert_to(string_agg(id::text || xmin::text, ' ' order by id), 'UTF8')), 'base64'), '') as version
      from recipes where deleted_at is null
    ), listed as (
      select id, is_platform_template, created_at, ${recipeJson} as recipe
      from recipes
      where deleted_at is null and (select version from state) is distinct from ${known}
        and contains_text(${search}, name, description)
        and (is_platform_template > ${last.is_platform_template}::boolean
          or is_platform_template = ${last.is_platform_template}::boolean
             and (created_at < ${last.created_at}::timestamptz
                  or created_at = ${last.created_at}::timestamptz and id > ${last.id}::uuid))
      order by is_platform_template, created_at desc, id limit ${bounds.limit}
    ), measured as (
      select *, row_number() over in_order as position, count(*) over () as found,
             coalesce(sum(octet_length(recipe)) over (in_order rows between unbounded preceding and 1 preceding), 0)
               as bytes_before
      from listed window in_order as (order by is_platform_template, created_at desc, id)
    )
    select * from state left join measured on bytes_before < ${bounds.bytes}) page
    order by position`.map((rows) => pageOf(rows, bounds.limit));

/** In the order of the list. */
export const listRecipeSummaries = (search: string) =>
  sql<RecipeSummary>`
    with live as (
      select recipe_id, recipe_revision, count(*) as instances from instances
      where status <> 'terminated' group by recipe_id, recipe_revision
    )
    select r.id, r.name, r.description, r.revision, r.is_active, r.is_platform_template, r.hosting_mode,
           coalesce(sum(l.instances), 0)::int as live_instances,
           coalesce(sum(l.instances) filter (where l.recipe_revision < r.revision), 0)::int as outdated_instances,
           r.updated_at
    from recipes r left join live l on l.recipe_id = r.id
    where r.deleted_at is null and contains_text(${search}, r.name, r.description)
    group by r.id order by r.is_platform_template, r.created_at desc, r.id`;

export const countRecipes = (search: string) =>
  sql<{ count: number }>`
    select count(*) as count from recipes
    where deleted_at is null and contains_text(${search}, name, description)`
    .one()
    .map(({ count }) => count);

function pageOf(rows: readonly MeasuredRow[], limit: number): ListPage {
  const recipes = rows.filter((row): row is MeasuredRecipe & { version: string } => row.recipe !== null);
  const found = recipes[0]?.found ?? 0;
  return { version: rows[0]?.version ?? '', recipes, isLast: found < limit && recipes.length === found };
}

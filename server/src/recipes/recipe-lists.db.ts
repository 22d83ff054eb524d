import { LEAST_UUID } from '../platform/db/keyset.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { fragment, sql } from '../platform/db/sql.ts';
import { wire } from './recipes.db.ts';

/** Where a recipe stands in the list. */
export interface ListPosition {
  id: string;
  is_platform_template: boolean;
  /** With all digits, unlike a Date. */
  created_at: string;
}

/** Before the first of the list. */
export const LIST_START: ListPosition = {
  is_platform_template: false,
  created_at: 'infinity',
  id: LEAST_UUID,
};

/** A recipe of the list, as it goes on the wire. */
interface ListedRecipe extends ListPosition {
  recipe: string;
}

/** How much of the list is read at once: so many, and of them as many as have so many bytes together, or one. */
export interface ListBounds {
  limit: number;
  bytes: number;
}

export interface ListPage {
  recipes: ListedRecipe[];
  /** Whether the list ends with it. */
  isLast: boolean;
}

type MeasuredRecipe = ListedRecipe & { found: number };

const visible = fragment('deleted_at is null');
/** The tenant's own, newest first, then the platform's templates. */
const inOrder = fragment('is_platform_template, recipes.created_at desc, id');

/** Around the rows of a page: each with its JSON, and with how many bytes and rows there are before it. */
const measured = fragment(`
  select id, is_platform_template, created_at::text as created_at, recipe, position, found
  from (
    select *, row_number() over listed as position, count(*) over () as found,
      coalesce(sum(octet_length(recipe)) over (listed rows between unbounded preceding and 1 preceding), 0) as bytes_before
    from (select id, is_platform_template, recipes.created_at, ${wire.text} as recipe from`);
const inMeasured = fragment(`offset 0) written
    window listed as (order by is_platform_template, created_at desc, id)
  ) page where bytes_before <`);

const pageOf = (rows: readonly MeasuredRecipe[], { limit }: ListBounds): ListPage => {
  const found = rows[0]?.found ?? 0;
  const recipes = rows.map(({ id, is_platform_template, created_at, recipe }) => ({
    id,
    is_platform_template,
    created_at,
    recipe,
  }));
  return { recipes, isLast: found < limit && rows.length === found };
};

/**
 * The first page of the list, each in a row of its own: all of them as one text could be longer than any text can be.
 * `version` tells of the visible rows which they are and in which state: whoever has the list of that version (`known`)
 * gets null in its place.
 */
export async function listRecipesUnlessKnown(
  q: Queryable,
  known: string | undefined,
  bounds: ListBounds,
): Promise<{ version: string; page: ListPage | null }> {
  const rows = await q.rows(
    sql<{ version: string } & { [Key in keyof MeasuredRecipe]: MeasuredRecipe[Key] | null }>`
      select version, first.recipe, first.id, first.is_platform_template, first.created_at, first.found
      from (
        select coalesce(encode(sha256(convert_to(string_agg(id::text || xmin::text, ' ' order by id), 'UTF8')), 'base64'), '')
          as version
        from recipes where ${visible}) state
      left join lateral (
        ${measured} (
          select * from recipes where ${visible} and version is distinct from ${known}
          order by ${inOrder} limit ${bounds.limit}
        ) recipes ${inMeasured} ${bounds.bytes}
      ) first on true
      order by position`,
  );
  const version = rows[0]?.version ?? '';
  const listed = rows.filter((row): row is MeasuredRecipe & { version: string } => row.recipe !== null);
  return { version, page: version === known ? null : pageOf(listed, bounds) };
}

/** The next page, of the list as it is now. */
export async function listRecipesAfter(
  q: Queryable,
  last: ListPosition,
  bounds: ListBounds,
): Promise<ListPage> {
  const rows = await q.rows(
    sql<MeasuredRecipe>`
      ${measured} (
        select * from recipes
        where ${visible} and (is_platform_template > ${last.is_platform_template}::boolean
          or is_platform_template = ${last.is_platform_template}::boolean
             and (recipes.created_at < ${last.created_at}::timestamptz
                  or recipes.created_at = ${last.created_at}::timestamptz and id > ${last.id}::uuid))
        order by ${inOrder} limit ${bounds.limit}
      ) recipes ${inMeasured} ${bounds.bytes}
      order by position`,
  );
  return pageOf(rows, bounds);
}

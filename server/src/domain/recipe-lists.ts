import { LRUCache } from 'lru-cache';
import type { Queryable, TenantQueryable } from '../db/database.ts';
import { LIST_START, type ListPage, listRecipesAfter, listRecipesUnlessKnown } from '../db/recipe-lists.ts';
import type { RecipeRow } from '../db/recipes.ts';
import { JsonList } from '../json-list.ts';

/** 300 lists of 50 recipes of 2 KB. */
const MAX_BYTES = 32 * 1024 * 1024;
/** What nobody asks for in one such span is not kept longer: it is tens of megabytes that others can use. */
const ASKED_WITHIN_MS = 60_000;
/** What one request for a list holds at a time. */
const PAGE = { limit: 100, bytes: 4 * 1024 * 1024 };

interface Told {
  version: string;
  /** null where it is too long to be kept. */
  list: JsonList<RecipeRow> | null;
  /** Since it was last looked at whether anybody asks. */
  asked: boolean;
}

/**
 * The lists of recipes that were asked for lately, as they were sent. What is kept is never believed: each time the
 * database is asked, under the tenant's row-level security, which rows the tenant sees and in which state; it leaves
 * out the rows themselves where they are those that are kept. So there is nothing to invalidate.
 *
 * A list of over 32 MiB is not kept, but read while it is sent.
 */
export class RecipeLists {
  readonly #told = new LRUCache<string, Told>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ list }) => list?.whole?.length ?? 1,
  });
  /** By tenant and version: who asks for what is being read waits for it, instead of holding as much once more. */
  readonly #reading = new Map<string, Promise<Told['list']>>();
  #looking: NodeJS.Timeout | undefined;

  /** The tenant's own, newest first, then the platform's templates. */
  async list(q: TenantQueryable): Promise<JsonList<RecipeRow>> {
    return (await this.#find(q)) ?? JsonList.reading(() => readItems(q));
  }

  /** Ends before what it waits for does, so that the page that it was told is not held as long. */
  async #find(q: TenantQueryable): Promise<Told['list']> {
    const { tenant_id } = q;
    const told = this.#told.get(tenant_id);
    const { version, page } = await listRecipesUnlessKnown(q, told?.version, PAGE);
    if (page === null) return this.#askedFor(told);
    const meanwhile = this.#told.get(tenant_id);
    if (meanwhile?.version === version) return this.#askedFor(meanwhile);
    const key = `${tenant_id} ${version}`;
    const underWay = this.#reading.get(key);
    if (underWay) return underWay;
    const reading = this.#read(q, version, page).finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }

  #askedFor(told: Told | undefined): JsonList<RecipeRow> | null {
    if (!told) return null;
    told.asked = true;
    return told.list;
  }

  async #read(q: TenantQueryable, version: string, first: ListPage): Promise<Told['list']> {
    const recipes = await readShort(q, first);
    const list = recipes && JsonList.of<RecipeRow>(recipes);
    // What changed while the pages were read has made the version another one.
    this.#told.set(q.tenant_id, { version, list, asked: true });
    this.#looking ??= setInterval(() => this.#forgetUnasked(), ASKED_WITHIN_MS).unref();
    return list;
  }

  #forgetUnasked(): void {
    const unasked = [...this.#told].filter(([, { asked }]) => !asked);
    for (const [tenant_id] of unasked) this.#told.delete(tenant_id);
    for (const told of this.#told.values()) told.asked = false;
    if (this.#told.size > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }
}

/** The whole list from its first page on, or null where it is too long to be kept. */
async function readShort(q: Queryable, first: ListPage): Promise<string[] | null> {
  const recipes: string[] = [];
  let bytes = 0;
  for await (const page of pagesFrom(q, first)) {
    recipes.push(...page);
    bytes += page.reduce((sum, recipe) => sum + Buffer.byteLength(recipe) + 1, 0);
    if (bytes > MAX_BYTES) return null;
  }
  return recipes;
}

async function* readItems(q: Queryable): AsyncGenerator<string> {
  for await (const page of pagesFrom(q, await listRecipesAfter(q, LIST_START, PAGE))) yield* page;
}

async function* pagesFrom(q: Queryable, first: ListPage): AsyncGenerator<string[]> {
  for (let page = first; ; ) {
    yield page.recipes.map(({ recipe }) => recipe);
    const last = page.recipes.at(-1);
    if (!last || page.isLast) return;
    page = await listRecipesAfter(q, last, { ...PAGE, limit: likelyIn(page.recipes) });
  }
}

/** How many such recipes make a page: what the database writes beyond it is written for nothing. */
function likelyIn(recipes: ListPage['recipes']): number {
  const length = recipes.reduce((sum, { recipe }) => sum + recipe.length, 0);
  return Math.min(PAGE.limit, Math.max(1, Math.floor((PAGE.bytes * recipes.length) / length)));
}

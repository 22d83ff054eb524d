import { LRUCache } from 'lru-cache';
import type { Queryable, TenantQueryable } from '../platform/db/queryable.ts';
import { JsonList } from '../platform/json/json-list.ts';
import { countRecipes, LIST_START, type ListPage, listRecipes } from './recipe-lists.db.ts';
import type { RecipeRow } from './recipes.db.ts';

/** For the cache of all tenants, and for the longest cached list. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Lists that are unused between two sweeps are dropped to free tens of megabytes. */
const SWEEP_EVERY_MS = 60_000;
/** The part of a list that one request holds in memory. */
const PAGE = { limit: 100, bytes: 4 * 1024 * 1024 };

/** null: too long for the cache. */
type CachedList = JsonList<RecipeRow> | null;

interface Entry {
  version: string;
  list: CachedList;
  wasRequested: boolean;
}

/**
 * Caches each tenant's list as bytes, so that a client that polls `GET /v1/recipes` costs one hash of row versions
 * instead of the whole list as JSON. Each request reads the current version under row-level security, so no
 * invalidation is needed.
 * Lists over 32 MiB are streamed instead.
 */
export class RecipeLists {
  readonly #cache = new LRUCache<string, Entry>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ list }) => list?.whole?.length ?? 1,
  });
  /** By tenant and version. Concurrent requests share one read, so that they do not each hold the list. */
  readonly #reading = new Map<string, Promise<CachedList>>();
  #sweeps: NodeJS.Timeout | undefined;

  /**
   * The tenant's own recipes, newest first, then platform templates.
   * @param search part of a name or description. Such lists are not cached, because no client polls them
   */
  async list(q: TenantQueryable, search = ''): Promise<JsonList<RecipeRow>> {
    const cached = search === '' ? await this.#find(q) : null;
    return cached ?? JsonList.reading(await q.run(countRecipes(search)), () => readItems(q, search));
  }

  async #find(q: TenantQueryable): Promise<CachedList> {
    const before = this.#cache.get(q.tenant_id);
    const first = await q.run(listRecipes(LIST_START, PAGE, before?.version));
    const { version } = first;
    const cached = [before, this.#cache.get(q.tenant_id)].find((entry) => entry?.version === version);
    if (cached) {
      cached.wasRequested = true;
      return cached.list;
    }
    const key = `${q.tenant_id} ${version}`;
    const reading = this.#reading.get(key) ?? this.#read(q, first).finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }

  async #read(q: TenantQueryable, first: ListPage): Promise<CachedList> {
    const recipes = await readCacheable(q, first);
    const list = recipes && JsonList.of<RecipeRow>(recipes);
    // A change between the pages changes the version, so the next request ignores this entry.
    this.#cache.set(q.tenant_id, { version: first.version, list, wasRequested: true });
    this.#sweeps ??= setInterval(() => this.#sweep(), SWEEP_EVERY_MS).unref();
    return list;
  }

  #sweep(): void {
    const unused = [...this.#cache].filter(([, { wasRequested }]) => !wasRequested);
    for (const [tenant_id] of unused) this.#cache.delete(tenant_id);
    for (const entry of this.#cache.values()) entry.wasRequested = false;
    if (this.#cache.size > 0) return;
    clearInterval(this.#sweeps);
    this.#sweeps = undefined;
  }
}

/** null: too long for the cache. */
async function readCacheable(q: Queryable, first: ListPage): Promise<string[] | null> {
  const recipes: string[] = [];
  let bytes = 0;
  for await (const page of pagesFrom(q, first, '')) {
    recipes.push(...page);
    bytes += page.reduce((sum, recipe) => sum + Buffer.byteLength(recipe) + 1, 0);
    if (bytes > MAX_BYTES) return null;
  }
  return recipes;
}

async function* readItems(q: Queryable, search: string): AsyncGenerator<string> {
  const first = await q.run(listRecipes(LIST_START, PAGE, undefined, search));
  for await (const page of pagesFrom(q, first, search)) yield* page;
}

async function* pagesFrom(q: Queryable, first: ListPage, search: string): AsyncGenerator<string[]> {
  for (let page = first; ; ) {
    yield page.recipes.map(({ recipe }) => recipe);
    const last = page.recipes.at(-1);
    if (!last || page.isLast) return;
    page = await q.run(listRecipes(last, { ...PAGE, limit: estimatedLimit(page) }, undefined, search));
  }
}

/** An estimate, so that the database does not serialise recipes that do not fit into the page. */
function estimatedLimit({ recipes }: ListPage): number {
  const length = recipes.reduce((sum, { recipe }) => sum + recipe.length, 0);
  return Math.min(PAGE.limit, Math.max(1, Math.floor((PAGE.bytes * recipes.length) / length)));
}

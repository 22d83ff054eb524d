import { LRUCache } from 'lru-cache';
import type { Queryable, TenantQueryable } from '../platform/db/queryable.ts';
import { JsonList } from '../platform/json/json-list.ts';
import { countRecipes, LIST_START, type ListPage, listRecipes } from './recipe-lists.db.ts';
import type { RecipeRow } from './recipes.db.ts';

/** The size of the cache for all tenants together, and of the longest list that is kept. */
const MAX_BYTES = 32 * 1024 * 1024;
/** A list that nobody asks for between two sweeps is dropped, because tens of megabytes are useful elsewhere. */
const SWEEP_EVERY_MS = 60_000;
/** The part of a list that one request holds at a time while it is read. */
const PAGE = { limit: 100, bytes: 4 * 1024 * 1024 };

/** null for a list that is too long to be kept. */
type KeptList = JsonList<RecipeRow> | null;

interface Entry {
  version: string;
  list: KeptList;
  wasAskedFor: boolean;
}

/**
 * Caches each tenant's list of recipes as the bytes that were sent, so that a client that polls `GET /v1/recipes` costs
 * the database one hash of row versions instead of the whole list as JSON. Every request asks the database for the
 * current version under the tenant's row-level security, so nothing has to be invalidated.
 *
 * A list of over 32 MiB is not kept; it is read while it is sent.
 */
export class RecipeLists {
  readonly #cache = new LRUCache<string, Entry>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ list }) => list?.whole?.length ?? 1,
  });
  /** By tenant and version. Concurrent requests share one reading, so that they do not each hold the list. */
  readonly #reading = new Map<string, Promise<KeptList>>();
  #sweeps: NodeJS.Timeout | undefined;

  /**
   * The tenant's own recipes, newest first, then the platform's templates.
   * @param search a part of the name or description. Such a list is not kept, because nobody polls it
   */
  async list(q: TenantQueryable, search = ''): Promise<JsonList<RecipeRow>> {
    const kept = search === '' ? await this.#find(q) : null;
    return kept ?? JsonList.reading(await q.run(countRecipes(search)), () => readItems(q, search));
  }

  async #find(q: TenantQueryable): Promise<KeptList> {
    const before = this.#cache.get(q.tenant_id);
    const first = await q.run(listRecipes(LIST_START, PAGE, before?.version));
    const { version } = first;
    const kept = [before, this.#cache.get(q.tenant_id)].find((entry) => entry?.version === version);
    if (kept) {
      kept.wasAskedFor = true;
      return kept.list;
    }
    const key = `${q.tenant_id} ${version}`;
    const reading = this.#reading.get(key) ?? this.#read(q, first).finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }

  async #read(q: TenantQueryable, first: ListPage): Promise<KeptList> {
    const recipes = await readShort(q, first);
    const list = recipes && JsonList.of<RecipeRow>(recipes);
    // A change while the pages were read has made the version another one, so the entry is not believed.
    this.#cache.set(q.tenant_id, { version: first.version, list, wasAskedFor: true });
    this.#sweeps ??= setInterval(() => this.#sweep(), SWEEP_EVERY_MS).unref();
    return list;
  }

  #sweep(): void {
    const unasked = [...this.#cache].filter(([, { wasAskedFor }]) => !wasAskedFor);
    for (const [tenant_id] of unasked) this.#cache.delete(tenant_id);
    for (const entry of this.#cache.values()) entry.wasAskedFor = false;
    if (this.#cache.size > 0) return;
    clearInterval(this.#sweeps);
    this.#sweeps = undefined;
  }
}

/** The whole list, or null where it is too long to be kept. */
async function readShort(q: Queryable, first: ListPage): Promise<string[] | null> {
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
    page = await q.run(listRecipes(last, { ...PAGE, limit: likelyIn(page) }, undefined, search));
  }
}

/** The number of recipes that likely fill a page: the database writes further ones in vain. */
function likelyIn({ recipes }: ListPage): number {
  const length = recipes.reduce((sum, { recipe }) => sum + recipe.length, 0);
  return Math.min(PAGE.limit, Math.max(1, Math.floor((PAGE.bytes * recipes.length) / length)));
}

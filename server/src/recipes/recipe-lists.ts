import { LRUCache } from 'lru-cache';
import type { Queryable, TenantQueryable } from '../platform/db/queryable.ts';
import { JsonList } from '../platform/json/json-list.ts';
import { LIST_START, type ListPage, listRecipesAfter, listRecipesUnlessKnown } from './recipe-lists.db.ts';
import type { RecipeRow } from './recipes.db.ts';

/** 300 lists of 50 recipes of 2 KB. */
const MAX_BYTES = 32 * 1024 * 1024;
/** What nobody asks for between two sweeps goes: it is tens of megabytes that others can use. */
const SWEEP_EVERY_MS = 60_000;
/** What one request for a list holds at a time. */
const PAGE = { limit: 100, bytes: 4 * 1024 * 1024 };

/** null where it is too long to be kept. */
type KeptList = JsonList<RecipeRow> | null;

interface Entry {
  version: string;
  list: KeptList;
  /** Whether anybody has asked for it since the last sweep. */
  wasAskedFor: boolean;
}

/**
 * A cache of the lists of recipes, by tenant, as they were sent. What is kept is never believed: each time the
 * database is asked, under the tenant's row-level security, which rows the tenant sees and in which state; it leaves
 * out the rows themselves where they are those that are kept. So there is nothing to invalidate.
 *
 * A list of over 32 MiB is not kept, but read while it is sent.
 */
export class RecipeLists {
  readonly #cache = new LRUCache<string, Entry>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ list }) => list?.whole?.length ?? 1,
  });
  /** By tenant and version: who asks for what is being read waits for it, instead of holding as much once more. */
  readonly #reading = new Map<string, Promise<KeptList>>();
  #sweeps: NodeJS.Timeout | undefined;

  /** The tenant's own, newest first, then the platform's templates. */
  async list(q: TenantQueryable): Promise<JsonList<RecipeRow>> {
    return (await this.#find(q)) ?? JsonList.reading(() => readItems(q));
  }

  /** Gives back what is being read without waiting for it, so that its own first page is not held as long. */
  async #find(q: TenantQueryable): Promise<KeptList> {
    const { tenant_id } = q;
    const before = this.#cache.get(tenant_id);
    const { version, page } = await listRecipesUnlessKnown(q, before?.version, PAGE);
    if (page === null) return before ? hit(before) : null;
    const meanwhile = this.#cache.get(tenant_id);
    if (meanwhile?.version === version) return hit(meanwhile);
    const key = `${tenant_id} ${version}`;
    const underWay = this.#reading.get(key);
    if (underWay) return underWay;
    const reading = this.#read(q, version, page).finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }

  async #read(q: TenantQueryable, version: string, first: ListPage): Promise<KeptList> {
    const recipes = await readShort(q, first);
    const list = recipes && JsonList.of<RecipeRow>(recipes);
    // What changed while the pages were read has made the version another one.
    this.#cache.set(q.tenant_id, { version, list, wasAskedFor: true });
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

function hit(entry: Entry): KeptList {
  entry.wasAskedFor = true;
  return entry.list;
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

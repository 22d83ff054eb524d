import { LRUCache } from 'lru-cache';
import type { Queryable } from '../db/database.ts';
import { listRecipesUnlessKnown, type RecipeRow } from '../db/recipes.ts';
import { JsonText } from '../json-text.ts';

/** 300 lists of 50 recipes of 2 KB. */
const MAX_BYTES = 32 * 1024 * 1024;
/** What nobody asks for in one such span is not kept longer: it is tens of megabytes that others can use. */
const ASKED_WITHIN_MS = 60_000;

interface Told {
  version: string;
  list: JsonText<RecipeRow[]>;
  /** Since it was last looked at whether anybody asks. */
  asked: boolean;
}

/**
 * The lists of recipes that were asked for lately, as they were sent. What is kept is never believed: each time the
 * database is asked, under the tenant's row-level security, which rows the tenant sees and in which state; it leaves
 * out the rows themselves where they are those that are kept. So there is nothing to invalidate.
 */
export class RecipeLists {
  readonly #told = new LRUCache<string, Told>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ list }) => list.content.length,
  });
  #looking: NodeJS.Timeout | undefined;

  /** The tenant's own, newest first, then the platform's templates. */
  async list(q: Queryable, tenant_id: string): Promise<JsonText<RecipeRow[]>> {
    const told = this.#told.get(tenant_id);
    const { version, recipes } = await listRecipesUnlessKnown(q, told?.version);
    if (told && recipes === null) {
      told.asked = true;
      return told.list;
    }
    const list = new JsonText<RecipeRow[]>(Buffer.from(recipes ?? '[]'));
    this.#told.set(tenant_id, { version, list, asked: true });
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

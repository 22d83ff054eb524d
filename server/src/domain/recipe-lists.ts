import { LRUCache } from 'lru-cache';
import type { Queryable } from '../db/database.ts';
import {
  type ListedRecipe,
  listRecipesAfter,
  listRecipesUnlessKnown,
  type RecipeRow,
} from '../db/recipes.ts';
import { JsonText } from '../json-text.ts';

/** 300 lists of 50 recipes of 2 KB. */
const MAX_BYTES = 32 * 1024 * 1024;
/** What nobody asks for in one such span is not kept longer: it is tens of megabytes that others can use. */
const ASKED_WITHIN_MS = 60_000;

/** How many are read at first; then as many as are so long together. */
const FIRST_PAGE = 100;
const PAGE_LENGTH = 4 * 1024 * 1024;
const MAX_PAGE = 1000;

interface Told {
  version: string;
  list: JsonText<RecipeRow[]>;
  bytes: number;
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
    sizeCalculation: ({ bytes }) => bytes,
  });
  #looking: NodeJS.Timeout | undefined;

  /** The tenant's own, newest first, then the platform's templates. */
  async list(q: Queryable, tenant_id: string): Promise<JsonText<RecipeRow[]>> {
    const told = this.#told.get(tenant_id);
    const { version, recipes } = await listRecipesUnlessKnown(q, told?.version, FIRST_PAGE);
    if (told && recipes === null) {
      told.asked = true;
      return told.list;
    }
    const pieces = await readPieces(q, recipes ?? []);
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const list = JsonText.ofPieces<RecipeRow[]>(pieces);
    // What changed while the pages were read has made the version another one.
    this.#told.set(tenant_id, { version, list, bytes, asked: true });
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

/** The list as JSON, in pieces, from its first page on. */
async function readPieces(q: Queryable, first: readonly ListedRecipe[]): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  let limit = FIRST_PAGE;
  for (let page = first; page.length > 0; ) {
    for (const { recipe } of page) pieces.push(Buffer.from(`${pieces.length === 0 ? '[' : ','}${recipe}`));
    const last = page.at(-1);
    if (!last || page.length < limit) break;
    const meanLength = page.reduce((sum, { recipe }) => sum + recipe.length, 0) / page.length;
    limit = Math.min(MAX_PAGE, Math.max(1, Math.floor(PAGE_LENGTH / meanLength)));
    page = await listRecipesAfter(q, last, limit);
  }
  pieces.push(Buffer.from(pieces.length === 0 ? '[]' : ']'));
  return pieces;
}

import type { Described } from './document.ts';

export interface Name {
  /** The group, as a property of the client: apiKeys. */
  group: string;
  /** Its method: rotate. */
  method: string;
}

const wordsOf = (text: string) => text.toLowerCase().split(/[\s_-]+/);
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
export const pascal = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const camel = ([first = '', ...rest]: string[]) => first + rest.map(capital).join('');

/** What an operationId may call the group's noun: recipe, recipes. */
function nounsOf(words: string[]): string[] {
  const plural = words.join('_');
  return [plural, plural.replace(/ies$/, 'y'), plural.replace(/s$/, '')];
}

const begins = (text: string, noun: string) => text === noun || text.startsWith(`${noun}_`);

/**
 * The name that an operation has in the client, from its tag and its operationId, which is verb_noun: the noun of the
 * tag is not said again. list_recipes of "Recipes" is recipes.list, list_recipe_revisions is recipes.listRevisions.
 * A tag that joins two ("Tiers and regions") makes a group of each.
 */
export function nameOf({ operationId, tags: [tag = ''] }: Described): Name {
  const [verb = '', ...rest] = operationId.split('_');
  const object = rest.join('_');
  const groups = tag.split(' and ').map(wordsOf);
  const own = groups.find((words) => nounsOf(words).some((noun) => begins(object, noun)));
  const words = own ?? (groups.length === 1 ? groups[0] : undefined);
  if (!words) throw new Error(`${operationId} names neither noun of its tag "${tag}"`);
  const noun = nounsOf(words).find((each) => begins(object, each));
  const left = noun === undefined ? object : object.slice(noun.length + 1);
  return { group: camel(words), method: camel([verb, ...(left === '' ? [] : left.split('_'))]) };
}

import type { Described } from './document.ts';

interface Name {
  group: string;
  method: string;
}

const splitWords = (text: string) => text.toLowerCase().split(/[\s_-]+/);
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
export const pascal = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const camel = ([first = '', ...rest]: string[]) => first + rest.map(capital).join('');

function nounsOf(words: string[]): string[] {
  const plural = words.join('_');
  return [plural, plural.replace(/ies$/, 'y'), plural.replace(/s$/, '')];
}

const begins = (text: string, noun: string) => text === noun || text.startsWith(`${noun}_`);

/**
 * Names an operation after its tag and operationId (verb_noun) without the tag's noun: list_recipe_revisions of
 * "Recipes" is recipes.listRevisions. "Tiers and regions" makes two groups.
 */
export function nameOf({ operationId, tags: [tag = ''] }: Described): Name {
  const [verb = '', ...rest] = operationId.split('_');
  const object = rest.join('_');
  const groups = tag.split(' and ').map(splitWords);
  const own = groups.find((words) => nounsOf(words).some((noun) => begins(object, noun)));
  const words = own ?? (groups.length === 1 ? groups[0] : undefined);
  if (!words) throw new Error(`${operationId} names neither noun of its tag "${tag}"`);
  const noun = nounsOf(words).find((each) => begins(object, each));
  const left = noun === undefined ? object : object.slice(noun.length + 1);
  return { group: camel(words), method: camel([verb, ...(left === '' ? [] : left.split('_'))]) };
}

import { type Document, isNode, parseDocument, stringify } from 'yaml';
import { DAYS } from './opening-hours.ts';
import { isField } from './recipe-content.ts';
import { isObject, type JsonObject, objectWithoutNull } from './recipe-patch.ts';

export type TextLanguage = 'yaml' | 'json';

/** A fault at a place of the text, from 0. */
export interface TextFault {
  from: number;
  to: number;
  message: string;
}

export const textOfContent = (content: JsonObject, language: TextLanguage): string =>
  language === 'json' ? `${JSON.stringify(ordered(content), null, 2)}\n` : yamlOf(content);

const yamlOf = (value: unknown) => stringify(ordered(value), { lineWidth: 100, blockQuote: 'literal' });

/** The database keeps keys by their length; these come first, in this order. */
const FIRST = ['name', 'slug', 'provider', 'url', 'tool', 'by', ...DAYS];

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isObject(value)) return value;
  const keys = [...FIRST.filter((key) => Object.hasOwn(value, key)), ...Object.keys(value)];
  return Object.fromEntries([...new Set(keys)].map((key) => [key, ordered(value[key])]));
}

interface ReadText {
  /** Undefined where the text cannot be read. */
  content: JsonObject | undefined;
  faults: readonly TextFault[];
}

/** Unknown names are faults, because the service would leave them out without a word. */
export function readText(text: string, language: TextLanguage): ReadText {
  const document = parseDocument(text);
  const faults = document.errors.map(
    ({ pos: [from, to], message }): TextFault => ({ from, to, message: firstLine(message) }),
  );
  if (faults.length > 0) return { content: undefined, faults };
  const refused = (message: string) => ({
    content: undefined,
    faults: [{ from: 0, to: Math.min(1, text.length), message }],
  });
  if (language === 'json' && !isJson(text)) return refused('This is not JSON.');
  const value = valueOf(document);
  if (!isObject(value)) return refused('A recipe has fields, as `name: Front desk`.');
  const unknown = Object.keys(value).filter((name) => !isField(name));
  if (unknown.length > 0)
    return {
      content: undefined,
      faults: unknown.map((name) => ({
        ...keyPlace(document, name),
        message: `A recipe has no field ${name}.`,
      })),
    };
  return { content: objectWithoutNull(value), faults: [] };
}

/** Undefined for more references than a recipe has. */
function valueOf(document: Document): unknown {
  try {
    return document.toJS();
  } catch {
    return undefined;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const firstLine = (message: string) => message.split('\n')[0] ?? message;

function keyPlace(document: Document, name: string): { from: number; to: number } {
  const { contents } = document;
  const pairs: readonly unknown[] = isObject(contents) && Array.isArray(contents.items) ? contents.items : [];
  for (const pair of pairs) {
    const key = isObject(pair) ? pair.key : undefined;
    if (isNode(key) && key.range && String(key) === name) return { from: key.range[0], to: key.range[1] };
  }
  return { from: 0, to: 0 };
}

/** The place of a value, else of what is around it: the server's faults name values by their path. */
export function placeOf(text: string, path: readonly string[]): { from: number; to: number } {
  const document = parseDocument(text);
  for (let size = path.length; size > 0; size--) {
    const keys = path.slice(0, size).map((key) => (/^\d+$/.test(key) ? Number(key) : key));
    const node = document.getIn(keys, true);
    if (isNode(node) && node.range) return { from: node.range[0], to: node.range[1] };
  }
  return { from: 0, to: Math.min(1, text.length) };
}

/** One value as people read it: a text as it is, all else as YAML; nothing is empty. */
export function plainText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : yamlOf(value).trimEnd();
}

import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Operation } from '../platform/contract/operation.ts';
import { JsonList } from '../platform/json/json-list.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { JsonText } from '../platform/json/json-text.ts';
import { toStructured } from './tools.ts';

/** A model reads and pays for every byte of a result. */
const MAX_RESULT_BYTES = 64 * 1024;
/** Limits for the strings of a result that is too large, tried in this order. */
const TEXT_LENGTHS = [4096, 1024, 256];
/** A larger object is refused rather than parsed to cut its strings, which would block the event loop. */
const MAX_PARSED_BYTES = 4 * 1024 * 1024;

const block = (text: string) => ({ type: 'text' as const, text });

/** A failed call, with the status and detail of the same request over HTTP. */
export const failure = (status: number, detail: unknown): CallToolResult => ({
  isError: true,
  content: [block(JSON.stringify({ status, detail }))],
});

/**
 * A reply's body as structured content and as text. Past 64 KiB a list is cut behind the last item that fits, and strings
 * are cut where that is not enough; a note tells how to get the rest. A list is read only as far as it fits.
 */
export async function success(operation: Operation, body: unknown): Promise<CallToolResult> {
  const list = listIn(body);
  const fitting = list ? await fitList(operation, list) : await fitValue(operation, body);
  if (!fitting) return failure(413, `The result is larger than 64 KiB. ${elsewhere(operation)}`);
  const { value, text, note } = fitting;
  return {
    content: note === undefined ? [block(text)] : [block(text), block(note)],
    structuredContent: value,
  };
}

interface Fitting {
  value: JsonObject;
  /** The value's JSON. */
  text: string;
  /** Names the cuts, and how to get the rest. */
  note?: string;
}

interface List {
  /** The items, each as JSON. */
  items: Iterable<string> | AsyncIterable<string>;
  count: number | undefined;
  /** The list's object with other items. */
  withItems: (items: readonly unknown[]) => JsonObject;
}

/** A body that is a list, or the one list of a page under any name. */
function listIn(body: unknown): List | undefined {
  if (body instanceof JsonList) {
    return { items: body, count: body.count, withItems: (items) => ({ ...body.position, items }) };
  }
  if (body instanceof JsonText) return undefined;
  const page = toStructured(body);
  if (!('items' in page || 'per_page' in page)) return undefined;
  const [name, items] = Object.entries(page).find(([, value]) => Array.isArray(value)) ?? [];
  if (name === undefined || !Array.isArray(items)) return undefined;
  return { items: jsonOf(items), count: items.length, withItems: (kept) => ({ ...page, [name]: kept }) };
}

function* jsonOf(items: readonly unknown[]): Generator<string> {
  for (const item of items) yield JSON.stringify(item);
}

async function fitList(operation: Operation, list: List): Promise<Fitting | undefined> {
  for (const length of [Infinity, ...TEXT_LENGTHS]) {
    const { items, areAll } = await itemsThatFit(list, length);
    if (items.length === 0 && !areAll) continue;
    const value = list.withItems(items);
    const text = JSON.stringify(value);
    const ofAll = list.count === undefined ? '' : ` of ${list.count}`;
    const cuts = [
      ...(areAll ? [] : [`the first ${items.length}${ofAll} items`]),
      ...(length === Infinity ? [] : [`texts after ${length} characters`]),
    ];
    if (cuts.length === 0) return { value, text };
    const rest = areAll ? elsewhere(operation) : further(operation, items.length);
    return { value, text, note: `Cut: ${cuts.join(', ')}. ${rest}` };
  }
  return undefined;
}

async function itemsThatFit({ items, withItems }: List, textLength: number) {
  const fitting: unknown[] = [];
  let left = MAX_RESULT_BYTES - byteLength(JSON.stringify(withItems([])));
  for await (const json of items) {
    const item = textLength === Infinity ? json : cutTexts(JSON.parse(json), textLength);
    left -= byteLength(item) + 1;
    // There is no comma behind the last item.
    if (left < -1) return { items: fitting, areAll: false };
    fitting.push(JSON.parse(item));
  }
  return { items: fitting, areAll: true };
}

async function fitValue(operation: Operation, body: unknown): Promise<Fitting | undefined> {
  const json =
    body instanceof JsonText
      ? (body as JsonText<JsonObject>)
      : new JsonText<JsonObject>(JSON.stringify(toStructured(body)));
  if (json.bytes <= MAX_RESULT_BYTES) return { value: json.parse(), text: json.text };
  if (json.bytes > MAX_PARSED_BYTES) return undefined;
  const whole = json.parse();
  for (const length of TEXT_LENGTHS) {
    const text = cutTexts(whole, length);
    if (byteLength(text) > MAX_RESULT_BYTES) continue;
    const note = `Cut: texts after ${length} characters. ${elsewhere(operation)}`;
    return { value: JSON.parse(text) as JsonObject, text, note };
  }
  return undefined;
}

/** The JSON of a value whose strings are cut after so many characters. */
const cutTexts = (value: unknown, length: number): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'string' && inner.length > length ? `${inner.slice(0, length).toWellFormed()}…` : inner,
  );

function further(operation: Operation, count: number): string {
  const names = Object.keys((operation.query as { properties?: object } | undefined)?.properties ?? {});
  if (names.includes('per_page')) return `Ask with per_page=${count}, and go on with page.`;
  return names.length > 0 ? `Narrow it with ${names.join(', ')}.` : elsewhere(operation);
}

const elsewhere = ({ method, path }: Operation) => `${method} ${path} answers in full.`;

const byteLength = (text: string) => Buffer.byteLength(text);

import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Operation } from '../platform/contract/operation.ts';
import { JsonList } from '../platform/json/json-list.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { JsonText } from '../platform/json/json-text.ts';

/** Models pay for every byte and can request the next page. */
const MAX_LIST_BYTES = 64 * 1024;
/** A row is complete, because a model may write it back. Parsing a larger one would block the event loop. */
const MAX_READ_BYTES = 4 * 1024 * 1024;

const block = (text: string) => ({ type: 'text' as const, text });

/** The status and detail of REST. */
export const failure = (status: number, detail: unknown): CallToolResult => ({
  isError: true,
  content: [block(JSON.stringify({ status, detail }))],
});

/** Structured content, and the same as text. */
export const success = (value: JsonObject, text = JSON.stringify(value)): CallToolResult => ({
  content: [block(text)],
  structuredContent: value,
});

/**
 * Truncates nothing within items: a list ends after the last item that fits into 64 KiB, and a `note` says how to
 * continue. Reads only that part of a list.
 * @param hint a note for the model
 */
export async function resultOf(operation: Operation, body: unknown, hint?: string): Promise<CallToolResult> {
  const list = listIn(body);
  if (list) return success(await fitList(operation, list));
  const json =
    body instanceof JsonText
      ? (body as JsonText<JsonObject>)
      : new JsonText<JsonObject>(JSON.stringify(toStructured(body)));
  if (json.bytes > MAX_READ_BYTES)
    return failure(
      413,
      `The result is larger than 4 MiB; ${operation.method} ${operation.path} answers in full`,
    );
  const value = json.parse();
  return hint === undefined ? success(value, json.text) : success({ ...value, note: hint });
}

interface List {
  /** Each as JSON. */
  items: Iterable<string> | AsyncIterable<string>;
  count: number;
  withItems: (items: readonly unknown[]) => JsonObject;
}

function toStructured(body: unknown): JsonObject {
  if (body === null || body === undefined) return { done: true };
  return Array.isArray(body) ? { items: body as unknown[] } : (body as JsonObject);
}

/** A list, or a page whose only list may have any name. */
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

async function fitList(operation: Operation, { items, count, withItems }: List): Promise<JsonObject> {
  const fitting: unknown[] = [];
  let isComplete = true;
  let left = MAX_LIST_BYTES - Buffer.byteLength(JSON.stringify(withItems([])));
  let toRead = MAX_READ_BYTES;
  for await (const json of items) {
    const item = summaryOf(operation, JSON.parse(json) as JsonObject);
    toRead -= Buffer.byteLength(json);
    left -= Buffer.byteLength(JSON.stringify(item)) + 1;
    // The last item has no comma; the first one is included whatever its size.
    isComplete = (left >= -1 && toRead >= 0) || fitting.length === 0;
    if (!isComplete) break;
    fitting.push(item);
  }
  if (isComplete) return withItems(fitting);
  const note = `Only the first ${fitting.length} of ${count} items fit. ${continuation(operation, fitting.length)}`;
  return { ...withItems(fitting), note };
}

function summaryOf({ mcp }: Operation, row: JsonObject): JsonObject {
  const { shows } = mcp ?? {};
  return shows ? Object.fromEntries(shows.map((name) => [name, row[name]])) : row;
}

function continuation({ method, path, query }: Operation, count: number): string {
  const names = Object.keys((query as { properties?: object } | undefined)?.properties ?? {});
  if (names.includes('page')) return `Ask with per_page=${count}, and go on with page.`;
  if (names.includes('per_page')) return `Ask with per_page=${count}.`;
  return names.length > 0 ? `Narrow it with ${names.join(', ')}.` : `${method} ${path} answers in full.`;
}

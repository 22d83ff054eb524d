import type { Operation } from '../platform/contract/operation.ts';
import { largeJson } from '../platform/http/large-json.ts';
import { JsonList } from '../platform/json/json-list.ts';
import { JsonText } from '../platform/json/json-text.ts';
import { toStructured } from './tool-schemas.ts';

/** A CallToolResult as JSON. */
export type ResultJson = string;

/** A model reads every byte of a result, and pays for it. */
const MAX_RESULT_BYTES = 64 * 1024;
/** How long a text may stay where a result is too large. */
const TEXT_LENGTHS = [4096, 1024, 256];
/** A single thing that is larger is not read again to have its texts cut: it would keep everybody else waiting. */
const MAX_READ_BYTES = 4 * 1024 * 1024;

const block = (text: string) => `{"type":"text","text":${JSON.stringify(text)}}`;

/** Why a call failed, in the words in which the same request over HTTP is told it. */
export const failure = (status: number, detail: unknown): ResultJson =>
  `{"isError":true,"content":[${block(JSON.stringify({ status, detail }))}]}`;

/**
 * A reply's body as structured content and as text. Past 64 KiB a list is cut behind the last item that fits, and texts
 * are cut where nothing fits otherwise; a note says so, and how to get the rest. Of a list no more is read than fits.
 */
export async function success(operation: Operation, body: unknown): Promise<ResultJson> {
  const list = listIn(body);
  const rendered = list ? await renderList(operation, list) : await renderValue(operation, body);
  if (!rendered) return failure(413, `The result is larger than 64 KiB. ${elsewhere(operation)}`);
  const blocks =
    rendered.note === undefined ? block(rendered.text) : `${block(rendered.text)},${block(rendered.note)}`;
  return `{"content":[${blocks}],"structuredContent":${rendered.text}}`;
}

interface Rendered {
  text: string;
  /** What was cut, and how to get it. */
  note?: string;
}

interface List {
  /** The JSON around the items. */
  before: string;
  after: string;
  items: Iterable<unknown> | AsyncIterable<unknown>;
  /** An item's JSON, its texts cut after so many characters, if any. */
  write: (item: unknown, textLength?: number) => string;
  count: number | undefined;
}

/** What is a list throughout, and the one list of a page, under whatever name. */
function listIn(body: unknown): List | undefined {
  if (body instanceof JsonList)
    return { ...aroundItems(body), items: body, write: cutWritten, count: body.count };
  if (body instanceof JsonText) return undefined;
  const members = Object.entries(toStructured(body)).filter(([, value]) => value !== undefined);
  if (!members.some(([name]) => name === 'items' || name === 'per_page')) return undefined;
  const at = members.findIndex(([, value]) => Array.isArray(value));
  const [name, items] = members[at] ?? [];
  if (name === undefined || !Array.isArray(items)) return undefined;
  const before = [...members.slice(0, at).map(member), `${JSON.stringify(name)}:[`].join(',');
  const after = [']', ...members.slice(at + 1).map(member)].join(',');
  return { before: `{${before}`, after: `${after}}`, items, write: cut, count: items.length };
}

/** A list throughout is told as `items`; a page is an object already. */
const aroundItems = ({ before, after }: JsonList<unknown>) =>
  before === '[' ? { before: '{"items":[', after: ']}' } : { before, after };

const member = ([name, value]: [string, unknown]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`;

/** A value's JSON. */
function cut(value: unknown, textLength = Infinity): string {
  if (textLength === Infinity) return JSON.stringify(value);
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'string' && inner.length > textLength
      ? `${inner.slice(0, textLength).toWellFormed()}…`
      : inner,
  );
}

/** The same of what is JSON already, which is not read and written again without need. */
const cutWritten = (json: unknown, textLength = Infinity): string =>
  textLength === Infinity ? String(json) : cut(JSON.parse(String(json)), textLength);

async function renderList(operation: Operation, list: List): Promise<Rendered | undefined> {
  for (const length of [Infinity, ...TEXT_LENGTHS]) {
    const { items, areAll } = await itemsThatFit(list, length);
    if (items.length === 0 && !areAll) continue;
    const text = list.before + items.join(',') + list.after;
    const cuts = [
      ...(areAll
        ? []
        : [`the first ${items.length}${list.count === undefined ? '' : ` of ${list.count}`} items`]),
      ...(length === Infinity ? [] : [`texts after ${length} characters`]),
    ];
    if (cuts.length === 0) return { text };
    const rest = areAll ? elsewhere(operation) : further(operation, items.length);
    return { text, note: `Cut: ${cuts.join(', ')}. ${rest}` };
  }
  return undefined;
}

async function itemsThatFit({ before, after, items, write }: List, textLength: number) {
  const fitting: string[] = [];
  let left = MAX_RESULT_BYTES - byteLength(before + after);
  for await (const item of items) {
    const text = write(item, textLength);
    left -= byteLength(text) + 1;
    // The last one has no comma behind it.
    if (left < -1) return { items: fitting, areAll: false };
    fitting.push(text);
  }
  return { items: fitting, areAll: true };
}

async function renderValue(operation: Operation, body: unknown): Promise<Rendered | undefined> {
  const json = body instanceof JsonText ? body : await largeJson(toStructured(body));
  if (json.bytes <= MAX_RESULT_BYTES) return { text: json.text };
  if (json.bytes > MAX_READ_BYTES) return undefined;
  const whole = json.parse();
  for (const length of TEXT_LENGTHS) {
    const text = cut(whole, length);
    if (byteLength(text) <= MAX_RESULT_BYTES)
      return { text, note: `Cut: texts after ${length} characters. ${elsewhere(operation)}` };
  }
  return undefined;
}

function further(operation: Operation, count: number): string {
  const names = Object.keys((operation.query as { properties?: object } | undefined)?.properties ?? {});
  if (names.includes('per_page')) return `Ask with per_page=${count}, and go on with page.`;
  return names.length > 0 ? `Narrow it with ${names.join(', ')}.` : elsewhere(operation);
}

const elsewhere = ({ method, path }: Operation) => `${method} ${path} answers in full.`;

const byteLength = (text: string) => Buffer.byteLength(text);

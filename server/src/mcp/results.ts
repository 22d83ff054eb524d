import type { Operation } from '../contract/operation.ts';
import { JsonText } from '../json-text.ts';
import { toStructured } from './tool-schemas.ts';

/** A CallToolResult as JSON. */
export type ResultJson = string;

/** A model reads every byte of a result, and pays for it. */
const MAX_RESULT_BYTES = 64 * 1024;
/** How long a text may stay where a result is too large. */
const TEXT_LENGTHS = [4096, 1024, 256];

type Json = Record<string, unknown>;

const block = (text: string) => `{"type":"text","text":${JSON.stringify(text)}}`;

/** Why a call failed, in the words in which the same request over HTTP is told it. */
export const failure = (status: number, detail: unknown): ResultJson =>
  `{"isError":true,"content":[${block(JSON.stringify({ status, detail }))}]}`;

/**
 * A reply's body as structured content and as text. Past 64 KiB a list is cut behind the last item that fits, else
 * long texts are; a note says so, and how to get the rest.
 */
export function success(operation: Operation, body: unknown): ResultJson {
  const text = structuredText(body);
  if (fits(text)) return `{"content":[${block(text)}],"structuredContent":${text}}`;
  const whole = JSON.parse(text) as Json;
  const cut = cutList(operation, whole) ?? cutTexts(operation, whole);
  if (!cut) return failure(413, `The result is larger than 64 KiB. ${elsewhere(operation)}`);
  return `{"content":[${block(cut.text)},${block(cut.note)}],"structuredContent":${cut.text}}`;
}

/** What is JSON already is not read and written again. */
function structuredText(body: unknown): string {
  if (!(body instanceof JsonText)) return JSON.stringify(toStructured(body));
  const { text } = body;
  return text.startsWith('[') ? `{"items":${text}}` : text;
}

interface Cut {
  text: string;
  note: string;
}

function cutList(operation: Operation, whole: Json): Cut | undefined {
  const [name, items] = listIn(whole) ?? [];
  if (name === undefined || items === undefined) return undefined;
  const sizes = items.map((item) => byteLength(JSON.stringify(item)) + 1);
  let left = MAX_RESULT_BYTES - byteLength(JSON.stringify({ ...whole, [name]: [] }));
  const over = sizes.findIndex((size) => (left -= size) < 0);
  if (over < 1) return undefined;
  const note = `Cut: the first ${over} of ${items.length} items. ${further(operation, over)}`;
  return { text: JSON.stringify({ ...whole, [name]: items.slice(0, over) }), note };
}

/** The one list of a page, under whatever name, and what is a list throughout. */
function listIn(whole: Json): [string, unknown[]] | undefined {
  if (!('items' in whole) && !('per_page' in whole)) return undefined;
  return Object.entries(whole).find((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
}

function cutTexts(operation: Operation, whole: Json): Cut | undefined {
  for (const length of TEXT_LENGTHS) {
    const text = JSON.stringify(whole, (_, value: unknown) =>
      typeof value === 'string' && value.length > length
        ? `${value.slice(0, length).toWellFormed()}…`
        : value,
    );
    if (fits(text)) return { text, note: `Cut: texts after ${length} characters. ${elsewhere(operation)}` };
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
const fits = (text: string) => byteLength(text) <= MAX_RESULT_BYTES;

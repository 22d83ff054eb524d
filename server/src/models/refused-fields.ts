import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
import { errorIn } from './provider-failures.ts';

/** How a request is sent to a model that refuses a field. */
export interface FieldChange {
  field: string;
  /** Its other name. */
  becomes?: string;
  /** Only numbers from this one on are refused. */
  from?: number;
}

type Rename = Readonly<Record<string, string>>;
const OTHER_NAME: Rename = { max_tokens: 'max_completion_tokens', max_completion_tokens: 'max_tokens' };

/** A field of the assistant’s earlier messages. */
const EARLIER_REASONING = 'reasoning_content';

/** An answer without them is still what was asked for. Their names are clear in a sentence. */
const CLEAR =
  `max_tokens max_completion_tokens temperature stream_options parallel_tool_calls top_p top_k min_p
  presence_penalty frequency_penalty repetition_penalty logit_bias top_logprobs reasoning_effort ${EARLIER_REASONING}`.split(
    /\s+/,
  );
/** These are words, too, so only a name in quotes counts. */
const WORDS = ['seed', 'user', 'logprobs', 'verbosity'];
const LEAVABLE = [...CLEAR, ...WORDS];

const MOST_LENGTH = 20_000;
const UNSUPPORTED =
  /unsupported|not supported|not support\b|unrecogni[sz]ed|unknown|unexpected|extra[_ ]|additional propert|not permitted|not allowed|not accept|deprecated|cannot find|not (?:a )?valid (?:field|argument|parameter|property)|not implemented|no longer|invalid (?:field|argument|parameter|property)|only the default|only [\d.]+ (?:is|are)|same time|\bboth\b/i;
/** The value is refused, not the field. */
const OUT_OF_RANGE =
  /\b(?:less|greater|smaller|larger|lower|higher) than\b|\bbetween\b|\bat (?:most|least)\b|\brange\b|\b(?:maximum|minimum|exceeds?|too (?:large|big|high|many|long|small|low))\b|_(?:above_max|below_min)_/i;
const TOO_LARGE =
  /\b(?:less|smaller|lower) than\b|\bbetween\b|\bat most\b|\brange\b|\b(?:maximum|exceeds?|too (?:large|big|high|many|long))\b|_above_max_|[>≤]|<=/i;

/**
 * The changes that a refusal asks for; empty for any other failure.
 * @param body as it was sent
 * @param before the changes that it had already
 */
export function changesFor(
  status: number,
  told: unknown,
  body: JsonObject,
  before: readonly FieldChange[],
): FieldChange[] {
  if (status !== 400 && status !== 422) return [];
  const text = (JSON.stringify(told) ?? '').slice(0, MOST_LENGTH);
  const named = namedIn(told, text).filter((field) => isIn(body, field));
  const fields = TOGETHER.test(text)
    ? [named.find((field) => field === 'max_tokens') ?? named.at(-1)]
    : named;
  return fields.flatMap((field) => (field === undefined ? [] : (changeOf(field, text, body, before) ?? [])));
}

/** Each would be taken alone. */
const TOGETHER = /\bboth\b|same time/i;

function changeOf(
  field: string,
  text: string,
  body: JsonObject,
  before: readonly FieldChange[],
): FieldChange | undefined {
  const other = OTHER_NAME[field];
  const isUnsupported = UNSUPPORTED.test(text);
  if (other === undefined) return isUnsupported && !OUT_OF_RANGE.test(text) ? { field } : undefined;
  const isTried = before.some((change) => change.field === other) || isIn(body, other);
  if (isUnsupported) return { field, ...(!isTried && { becomes: other }) };
  // A model whose own limit is lower keeps to that without ours.
  return TOO_LARGE.test(text) ? { field, from: Number(body[field]) } : undefined;
}

/** By `param` or `loc`, else by the words. */
function namedIn(told: unknown, text: string): string[] {
  const pointed = pointedAt(told).filter((name) => LEAVABLE.includes(name));
  if (pointed.length > 0) return [...new Set(pointed)];
  const words = LEAVABLE.filter((name) => {
    const camel = name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
    const either = `(?:${name}|${camel})`;
    // Quotes of a text within a text have a backslash.
    return WORDS.includes(name)
      ? new RegExp(`["'\`]${either}\\\\*["'\`]`).test(text)
      : new RegExp(`(?<![\\w-])${either}(?![\\w-])`).test(text);
  });
  return words.toSorted((a, b) => text.indexOf(a) - text.indexOf(b));
}

const MOST_FAULTS = 100;

function pointedAt(told: unknown): string[] {
  const { param, message, detail, details } = errorIn(told);
  const within = isJsonObject(message) ? message.detail : message;
  const faults = [within, detail, details].flatMap((list): unknown[] => (Array.isArray(list) ? list : []));
  const places = faults.slice(0, MOST_FAULTS).flatMap((fault): unknown[] => {
    const loc = isJsonObject(fault) ? (fault.loc ?? fault.path) : undefined;
    return Array.isArray(loc) ? loc : [];
  });
  const pointed = typeof param === 'string' ? param.split(/[.[\]]/) : [];
  return [...pointed, ...places].filter((place) => typeof place === 'string');
}

const isAssistants = (message: unknown): message is JsonObject =>
  isJsonObject(message) && message.role === 'assistant' && EARLIER_REASONING in message;

const isIn = (body: JsonObject, field: string): boolean =>
  field === EARLIER_REASONING
    ? Array.isArray(body.messages) && body.messages.some(isAssistants)
    : (body[field] ?? null) !== null;

/** The request as its model takes it. */
export function withChanges(asked: JsonObject, changes: readonly FieldChange[]): JsonObject {
  const body = { ...asked };
  for (const { field, becomes, from } of changes) {
    if (!isIn(body, field)) continue;
    if (field === EARLIER_REASONING) {
      body.messages = (body.messages as unknown[]).map(withoutReasoning);
      continue;
    }
    const value = body[field];
    if (from !== undefined && Number(value) < from) continue;
    delete body[field];
    if (becomes !== undefined && !isIn(body, becomes)) body[becomes] = value;
  }
  return body;
}

function withoutReasoning(message: unknown): unknown {
  if (!isAssistants(message)) return message;
  const { [EARLIER_REASONING]: _reasoning, ...rest } = message;
  return rest;
}

/** Fields of the caller that the model did not get, under neither name. */
export const leftOut = (asked: JsonObject, sent: JsonObject): string[] =>
  LEAVABLE.filter(
    (field) => isIn(asked, field) && !isIn(sent, field) && !isIn(sent, OTHER_NAME[field] ?? field),
  );

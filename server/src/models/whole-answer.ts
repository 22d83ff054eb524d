import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
import { figureOver, JSON_BOUNDS } from '../platform/json/json-scan.ts';
import { type ShapedAnswer, shapeAnswer } from './answer-shape.ts';
import { assemble } from './assemble.ts';
import { ChatStream } from './chat-stream.ts';
import type { LlmResponse } from './llm-client.port.ts';
import { errorIn } from './provider-failures.ts';
import { usageIn } from './token-counts.ts';
import { BadAnswer, failureIn, ToldFailure } from './told-failure.ts';

/** An answer is read at once on the event loop. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Reads an answer that does not come as a stream, or as one that nobody asked for. Rejects for anything but an answer. */
export async function readWhole({ body, content_type }: LlmResponse): Promise<ShapedAnswer> {
  const bytes = await readBytes(body);
  const isStream = content_type.includes('text/event-stream');
  if (!isStream && figureOver(bytes, JSON_BOUNDS))
    throw new BadAnswer('The model’s answer is nested too deeply or has too many values');
  // Nobody reads along, so nothing has to be told before its end.
  const stream = new ChatStream({ input_tokens: 0, wantsUsage: true, isHeld: true });
  const answer: unknown = isStream ? assemble(stream.pass(bytes) + stream.end()) : parse(bytes.toString());
  if (!isJsonObject(answer)) throw new BadAnswer('The model’s answer is no JSON object');
  const counts = usageIn(answer);
  const failure = failureIn(answer) ?? lackIn(answer);
  if (failure !== undefined) throw new ToldFailure(failure, counts, failure === NO_CHOICES);
  const shaped = shapeAnswer(answer);
  if (shaped.isFailed) throw new ToldFailure({ message: 'The model ended with a failure' }, counts, true);
  return { ...shaped, isUnopened: shaped.isUnopened || stream.isUnopened };
}

const NO_CHOICES = { message: 'The model’s answer has no choices' };

/** The words of an answer without choices, or that it has none. */
function lackIn(answer: JsonObject): unknown {
  const { choices } = answer;
  const isThere =
    Array.isArray(choices) && choices.some((choice) => isJsonObject(choice) && isJsonObject(choice.message));
  if (isThere) return undefined;
  return (errorIn(answer).message ?? null) === null ? NO_CHOICES : answer;
}

async function readBytes(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new BadAnswer('The model’s answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import type { JsonObject } from '../platform/json/json-object.ts';
import { argumentsIn, NO_ARGUMENTS, nameIn, shapeCall } from './answer-shape.ts';

const MAX_CALLS = 128;

interface Call {
  /** As the provider says it: not always there, and not always different. */
  id: string;
  given: unknown;
  hasName: boolean;
  hasArguments: boolean;
  isCustom: boolean;
}

/** Gives each tool call of a stream its own place, an id and a type. */
export class StreamedCalls {
  readonly #calls: Call[] = [];

  get count(): number {
    return this.#calls.length;
  }

  /** @param deltas of one event */
  push(deltas: readonly JsonObject[]): JsonObject[] {
    return deltas.flatMap((delta): JsonObject[] => {
      const call = this.#take(delta);
      return call === undefined ? [] : [call];
    });
  }

  /** The arguments of calls that have none. */
  end(): JsonObject[] {
    return this.#calls.flatMap((call, index): JsonObject[] => {
      if (call.hasArguments || call.isCustom) return [];
      call.hasArguments = true;
      return [{ index, function: { arguments: NO_ARGUMENTS } }];
    });
  }

  #take(delta: JsonObject): JsonObject | undefined {
    const place = this.#placeOf(delta);
    // A list with a hole of a billion places would be written out.
    if (place === undefined || place >= MAX_CALLS) return undefined;
    const before = this.#calls[place];
    const [name, args] = [nameIn(delta), argumentsIn(delta)];
    if (before === undefined) return this.#begin(delta, place, name, args);
    before.hasArguments ||= args.trim() !== '';
    if (before.isCustom) return { ...delta, index: place };
    const isNew = name !== '' && !before.hasName;
    before.hasName ||= isNew;
    return { index: place, function: { ...(isNew && { name }), arguments: args } };
  }

  #begin(delta: JsonObject, place: number, name: string, args: string): JsonObject {
    this.#calls[place] = {
      id: idIn(delta),
      given: delta.index,
      hasName: name !== '',
      hasArguments: args.trim() !== '',
      isCustom: delta.type === 'custom',
    };
    return shapeCall(delta, place, args);
  }

  /** The next place for a new call; undefined for a piece of none. */
  #placeOf(delta: JsonObject): number | undefined {
    const { index } = delta;
    const [id, name] = [idIn(delta), nameIn(delta)];
    if (index !== undefined && index !== null && !isPlace(index)) return undefined;
    const next = this.#calls.length;
    if (id !== '') {
      const known = this.#calls.findIndex((call) => call.id === id);
      if (known >= 0) return known;
    }
    const isNew = id !== '' || name !== '';
    if (!isPlace(index)) return isNew || next === 0 ? next : next - 1;
    const same = this.#calls.findLastIndex((call) => call.given === index);
    if (same < 0) return next;
    const isAnother = id !== '' && this.#calls[same]?.id !== '' && name !== '';
    return isAnother ? next : same;
  }
}

const idIn = ({ id }: JsonObject): string => (typeof id === 'string' ? id : '');

const isPlace = (index: unknown): index is number =>
  Number.isInteger(index) && Number(index) >= 0 && Number(index) < MAX_CALLS;

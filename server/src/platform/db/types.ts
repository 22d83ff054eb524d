import pg from 'pg';

const { builtins } = pg.types;

const asNumber = (text: string) => Number(text);
const asText = (text: string) => text;

/**
 * How a column's text becomes a value. timestamptz is a Date (JSON writes it as the contract wants it),
 * date stays the day it names, int8 is a number (counts and sizes; none of ours passes 2^53), numeric stays exact text.
 */
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.DATE, asText],
  [builtins.INT8, asNumber],
  [builtins.NUMERIC, asText],
]);

export function parserOf(typeId: number): (text: string) => unknown {
  let parser = parsers.get(typeId);
  if (!parser) {
    parser = pg.types.getTypeParser(typeId, 'text') as (text: string) => unknown;
    parsers.set(typeId, parser);
  }
  return parser;
}

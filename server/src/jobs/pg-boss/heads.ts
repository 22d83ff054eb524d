const HEADS =
  /strict_fifo_heads AS MATERIALIZED \(\s*SELECT DISTINCT ON \(h\.singleton_key\) h\.id\s([\s\S]*?)ORDER BY h\.singleton_key, ([^()]*)\),/;
const IS_HEAD = 'j.id IN (SELECT id FROM strict_fifo_heads)';
const IS_ANOTHER = 'AND b.id <> j.id';

/**
 * pg-boss's statement that takes the next job of an ordered queue, made to ask of each candidate whether it is the first
 * of its key and whether another of its key is at work: two looks into indexes. The library lists the first jobs of all
 * keys for each job that it takes, and compares candidates with that list and with all that are at work: with 10,000
 * waiting one took 50 ms, and 45 s until the table's statistics were renewed. (A LIMIT or an OFFSET keeps PostgreSQL from
 * making joins of the questions.)
 * @returns other statements as they are; undefined where one has a form that is not known here
 */
export function askingEachForHead(text: string): string | undefined {
  if (!text.includes('strict_fifo_heads')) return text;
  const [list, from, order] = HEADS.exec(text) ?? [];
  const isKnown = [IS_HEAD, IS_ANOTHER].every((part) => text.split(part).length === 2);
  if (list === undefined || !isKnown) return undefined;
  const head = `SELECT h.id ${from} AND h.singleton_key = j.singleton_key ORDER BY ${order} LIMIT 1`;
  return text
    .replace(list, '')
    .replace(IS_HEAD, `j.id = (${head})`)
    .replace(IS_ANOTHER, `${IS_ANOTHER} OFFSET 0`);
}

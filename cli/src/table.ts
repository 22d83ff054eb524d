import stringWidth from 'string-width';
import { oneLine } from './text.ts';

/** A flexible column may be cut on a narrow terminal. */
export type Column<Row> = readonly [title: string, cell: (row: Row) => unknown, flexible?: 'flexible'];

const GAP = '  ';
const LEAST_WIDTH = 8;

export function tableLines<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number,
): string[] {
  const titles = columns.map(([title]) => title);
  const lines = [titles, ...rows.map((row) => columns.map(([, cell]) => oneLine(cell(row) ?? '')))];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => stringWidth(line[at] ?? ''))));
  const total = () => widths.reduce((sum, each) => sum + each, GAP.length * (widths.length - 1));
  for (let excess = total() - width; excess > 0; excess = total() - width) {
    const widest = widestFlexible(columns, widths);
    if (widest === undefined) break;
    widths[widest] = Math.max(LEAST_WIDTH, (widths[widest] ?? 0) - excess);
  }
  const padded = (line: readonly string[]) =>
    line.map((text, at) => padEnd(cut(text, widths[at] ?? 0), widths[at] ?? 0));
  return lines.map((line) => cut(padded(line).join(GAP).trimEnd(), width));
}

function widestFlexible(columns: readonly Column<never>[], widths: readonly number[]): number | undefined {
  const candidates = columns.flatMap(([, , flexible], at) =>
    flexible && (widths[at] ?? 0) > LEAST_WIDTH ? [at] : [],
  );
  return candidates.toSorted((one, other) => (widths[other] ?? 0) - (widths[one] ?? 0))[0];
}

const padEnd = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - stringWidth(text)));

const graphemes = new Intl.Segmenter();

function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  for (const { segment } of graphemes.segment(text)) {
    if (stringWidth(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

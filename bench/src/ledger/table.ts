import { type Finding, NO_FAULT } from './book.ts';
import type { Report } from './run.ts';

const WHAT: readonly Finding['what'][] = ['lost', 'doubled', 'out of order'];
const SHOWN = 20;

/** Every acknowledged write exists, once and in order. */
export const isClean = ({ book }: Report): boolean =>
  book.findings.length === 0 && book.wrongAnswers.length === 0;

export function tablesOf({ book, skipped, ownEnds }: Report): string {
  const { findings, strikes, wrongAnswers } = book;
  const names = [...new Set([...strikes.map(({ name }) => name), ...findings.map(({ fault }) => fault)])];
  const faults = names
    .toSorted()
    .map((name) => [
      name,
      name === NO_FAULT ? '' : String(strikes.filter((strike) => strike.name === name).length),
      ...countsOf(findings.filter(({ fault }) => fault === name)),
    ]);
  const omitted = skipped.map(({ name, reason }) => [name, `skipped: ${reason}`, '', '', '']);
  const kinds = book
    .kinds()
    .map(({ kind, acknowledged }) => [
      kind,
      String(acknowledged),
      ...countsOf(findings.filter((finding) => finding.kind === kind)),
    ]);
  return [
    table(['Fault', 'Times', ...WHAT], [...faults, ...omitted]),
    table(['Written', 'Acknowledged', ...WHAT], kinds),
    `${book.unknown} requests without a usable answer; ${book.sentAgain} texts sent to the channel again; the service ended by itself ${ownEnds} times`,
    ...findings.slice(0, SHOWN).map(({ kind, what, key, fault }) => `${what}: ${kind}: ${key} (${fault})`),
    ...wrongAnswers.slice(0, SHOWN).map((line) => `wrong answer: ${line}`),
  ].join('\n\n');
}

const countsOf = (findings: readonly Finding[]) =>
  WHAT.map((what) => String(findings.filter((finding) => finding.what === what).length));

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

import { type Finding, NO_FAULT, WHAT } from './book.ts';
import type { Report } from './run.ts';

/** As many examples are shown of each kind of finding. */
const SHOWN = 5;

/** Everything acknowledged exists, once and in order, and nothing else went wrong. */
export const isClean = ({ book }: Report): boolean => book.findings.length === 0;

/** The faults and the ledger as tables for people. */
export function tablesOf({ book, skipped }: Report): string {
  const { findings, strikes } = book;
  const names = [...new Set([...strikes.map(({ name }) => name), ...findings.map(({ fault }) => fault)])];
  const faults = names
    .toSorted()
    .map((name) => [
      name,
      name === NO_FAULT ? '' : String(strikes.filter((strike) => strike.name === name).length),
      ...countsOf(findings.filter(({ fault }) => fault === name)),
    ]);
  const omitted = skipped.map(({ name, reason }) => [
    name,
    `skipped: ${reason}`,
    ...Array.from(WHAT, () => ''),
  ]);
  const written = new Map(book.kinds().map(({ kind, acknowledged }) => [kind, acknowledged]));
  const kinds = [...new Set([...written.keys(), ...findings.map(({ kind }) => kind)])].map((kind) => [
    kind,
    String(written.get(kind) ?? 0),
    ...countsOf(findings.filter((finding) => finding.kind === kind)),
  ]);
  return [
    table(['Fault', 'Times', ...WHAT], [...faults, ...omitted]),
    table(['Kind', 'Acknowledged', ...WHAT], kinds),
    table(
      ['Allowed under faults', 'Times'],
      book.allowed.map(({ what, times }) => [what, String(times)]),
    ),
    `${book.unknown} requests without a usable answer, which were repeated`,
    examplesOf(findings).join('\n'),
  ].join('\n\n');
}

/** Some of each kind, so that many of one hide no other. */
function examplesOf(findings: readonly Finding[]): string[] {
  const shown = new Map<string, number>();
  return findings.flatMap(({ kind, what, key, fault }) => {
    const name = `${what}: ${kind}`;
    const count = (shown.get(name) ?? 0) + 1;
    shown.set(name, count);
    return count <= SHOWN ? [`${name}: ${key} (${fault})`] : [];
  });
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

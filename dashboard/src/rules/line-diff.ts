export interface DiffLine {
  is: 'same' | 'gone' | 'new';
  text: string;
}

/** Larger comparisons show all lines as gone and new, because time and memory grow with the square. */
const MOST_CELLS = 4_000_000;

/** The lines of both texts in order, by a longest common subsequence. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const middle = changesOf(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return [...a.slice(0, start).map(same), ...middle, ...a.slice(a.length - end).map(same)];
}

const linesOf = (text: string) => (text === '' ? [] : text.split('\n'));

const gone = (text: string): DiffLine => ({ is: 'gone', text });
const fresh = (text: string): DiffLine => ({ is: 'new', text });
const same = (text: string): DiffLine => ({ is: 'same', text });

function changesOf(a: readonly string[], b: readonly string[]): DiffLine[] {
  if (a.length * b.length > MOST_CELLS) return [...a.map(gone), ...b.map(fresh)];
  const lengths = commonLengths(a, b);
  const lengthAt = (i: number, j: number) => lengths[i * (b.length + 1) + j] ?? 0;
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && left === right) {
      lines.push(same(left));
      i++;
      j++;
    } else if (left !== undefined && (right === undefined || lengthAt(i + 1, j) >= lengthAt(i, j + 1))) {
      lines.push(gone(left));
      i++;
    } else {
      lines.push(fresh(right ?? ''));
      j++;
    }
  }
  return lines;
}

/** The rests from i and j on, row by row. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint32Array {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        a[i] === b[j]
          ? 1 + (lengths[(i + 1) * width + j + 1] ?? 0)
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
  return lengths;
}

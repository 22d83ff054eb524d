/** Thrown where more would be said of a configuration's values, by pointers and violations, than may be. */
export class TooMuchSaid extends Error {}

/** Counts what is said of values. Throws TooMuchSaid past `most` characters. */
export function saidBound(most: number): (text: string) => void {
  let left = most;
  return ({ length }) => {
    left -= length;
    if (left < 0) throw new TooMuchSaid();
  };
}

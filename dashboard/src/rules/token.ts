const BYTES = 24;

/** A word that nobody guesses, of letters, digits, `-` and `_`. */
export function randomToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}

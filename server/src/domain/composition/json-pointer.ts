/** A JSON pointer (RFC 6901) from unescaped tokens: `jsonPointer('a/b', 0)` is `/a~1b/0`. */
export function jsonPointer(...tokens: readonly (string | number)[]): string {
  return tokens.map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** A JSON pointer (RFC 6901) from unescaped tokens: `jsonPointer('a/b', 0)` is `/a~1b/0`. */
export function jsonPointer(...tokens: readonly (string | number)[]): string {
  let pointer = '';
  for (const token of tokens) pointer += `/${escaped(String(token))}`;
  return pointer;
}

/** Few tokens need escaping, and there may be many thousands. */
const escaped = (token: string): string =>
  /[~/]/.test(token) ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token;

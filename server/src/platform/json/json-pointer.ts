/** RFC 6901 from unescaped tokens: `jsonPointer('a/b', 0)` is `/a~1b/0`. */
export function jsonPointer(...tokens: readonly (string | number)[]): string {
  let pointer = '';
  for (const token of tokens) pointer += `/${escaped(String(token))}`;
  return pointer;
}

/** Test first: few of many thousands of tokens need escaping. */
const escaped = (token: string): string =>
  /[~/]/.test(token) ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token;

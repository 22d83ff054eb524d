/** What people type and paste around the words that count. */

/** Space, closing punctuation of several scripts, emoji, and characters that nobody sees. */
const trailing =
  /^[\s.!?…,;。！？，؟\p{Cf}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\uFE0E\uFE0F]$/u;

/** By hand, and not by a pattern, which would take the square of the length of a long run in the middle. */
function withoutTail(text: string): string {
  const characters = Array.from(text);
  while (trailing.test(characters.at(-1) ?? '')) characters.pop();
  return characters.join('');
}

/** The words alone: without repeated spaces, "please", a slash, a bullet, quotes or stars around them, emoji, punctuation. */
export function plainOf(text: string): string {
  const begun = text
    .replace(/[\s\p{Cf}]+/uy, '')
    .replace(/\s+/g, ' ')
    .replace(/^(?:\/|[•*-] |[¡¿])/, '');
  const bare = withoutTail(begun).replace(/^(["'“‘«*_~`])(.+)["'”’»*_~`]$/, '$2');
  return withoutTail(bare.replace(/^please,? /i, '')).replace(/,? please$/i, '');
}

const BEARER = /\b(bearer\s+)\S+/gi;
const NAMED = /(password|secret|token|api[_-]?key)(["']?\s*[:=]\s*["']?)[^\s"',;&]+/gi;
const LONG = /[\w+/=-]{20,}/g;
/** Between slashes of a path. */
const SEGMENT = /[\w+=-]{20,}/g;

/**
 * Redacts the `known` secrets and whatever resembles a credential: values of fields with such names, and long mixtures
 * of letters and digits.
 */
export const withoutSecrets = (text: string, known: readonly string[] = []): string =>
  known
    .reduce((rest, secret) => (secret === '' ? rest : rest.replaceAll(secret, '…')), text)
    .replaceAll(BEARER, '$1…')
    .replaceAll(NAMED, '$1$2…')
    .replaceAll(LONG, (word) => (word.startsWith('/') ? word.replaceAll(SEGMENT, hidden) : hidden(word)));

const hidden = (word: string): string => (/\d/.test(word) && /[a-z]/i.test(word) ? '…' : word);

import Negotiator from 'negotiator';

const IN_UTF8 = '; charset=utf-8';

/** Accepted media types, preferred first (RFC 9110, section 12.5.1). All are sent in UTF-8. */
export const acceptedTypes = (accept: string | undefined, types: readonly string[]): string[] =>
  new Negotiator({ headers: { accept } })
    .mediaTypes(types.map((type) => type + IN_UTF8))
    .map((type) => type.slice(0, -IN_UTF8.length));

/** Strong. */
export const etagOf = (hash: Buffer): string => `"${hash.toString('base64url')}"`;

/** If-None-Match compares weakly (RFC 9110, section 13.1.2). */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes('*') || tags.includes(etag);
}

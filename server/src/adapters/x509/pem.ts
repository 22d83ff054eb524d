const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g;

/** Each block ends with a line break. */
export const pemBlocks = (text: string, label: string): string[] =>
  [...text.matchAll(BLOCK)].filter((match) => match[1] === label).map(([block]) => `${block}\n`);

export function toPem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

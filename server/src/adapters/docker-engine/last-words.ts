import { lastLineOf } from '../process-engine/log-file.ts';
import type { ContainerInspect } from './api.ts';
import type { DockerClient } from './client.ts';

const LINES = 20;
const MAX_BYTES = 1024 * 1024;
const HEADER = 8;
/** Environment variables whose values no line may show. */
const MINTED: ReadonlySet<string> = new Set([
  'ENROLLMENT_TOKEN',
  'PROXY_KEY',
  'MESSAGE_SECRET',
  'LLM_API_KEY',
]);

export interface LastWords {
  /** Oldest first. */
  lines: readonly string[];
  /** The one that says why; may be empty. */
  line: string;
}

/** The end of a container's log, without what was minted for it. */
export async function readLastWords(
  client: DockerClient,
  { Id, Config }: ContainerInspect,
): Promise<LastWords> {
  const query = { stdout: 1, stderr: 1, tail: LINES };
  const text = textOf(await client.bytes(`/containers/${Id}/logs`, query, MAX_BYTES));
  const minted = (Config.Env ?? []).flatMap((entry) => {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(entry) ?? [];
    return MINTED.has(name) && value !== '' ? [value] : [];
  });
  const clean = (line: string) => minted.reduce((rest, value) => rest.replaceAll(value, '[secret]'), line);
  const lines = text.split(/\r?\n/).filter((line) => line !== '');
  return { lines: lines.slice(-LINES).map(clean), line: lastLineOf(text, clean) };
}

/** Without a terminal the output comes in frames: a byte for the stream, three zeros, a length of four bytes. */
export function textOf(bytes: Buffer): string {
  const texts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const isFrame =
      (bytes[at] ?? 255) <= 2 && bytes.readUIntBE(at, Math.min(4, bytes.length - at)) % 2 ** 24 === 0;
    if (!isFrame || at + HEADER > bytes.length) return bytes.toString();
    const end = at + HEADER + bytes.readUInt32BE(at + 4);
    texts.push(bytes.subarray(at + HEADER, end));
    at = end;
  }
  return Buffer.concat(texts).toString();
}

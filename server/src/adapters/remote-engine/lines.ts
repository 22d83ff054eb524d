import type { IncomingMessage } from 'node:http';

/**
 * The lines of an answer that are not empty, as they come.
 * @param whose for the error, with which a longer line ends: `daemon`
 */
export async function* linesOf(
  response: IncomingMessage,
  maxLength: number,
  whose: string,
): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxLength) throw new Error(`A line of the ${whose} is too long`);
    for (const line of lines) if (line.trim() !== '') yield line;
  }
  if (rest.trim() !== '') yield rest;
}

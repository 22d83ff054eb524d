/** One server-sent event. */
export interface SseEvent {
  /** The last id that the stream gave, '' before the first. */
  id: string;
  event: string;
  /** Its data lines, joined by newlines. */
  data: string;
}

/**
 * Reads an event stream (WHATWG HTML, section 9.2) however its bytes are cut into chunks. An event that the stream
 * ends within is dropped, as the standard says.
 */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SseEvent> {
  let id = '';
  let event = '';
  let data: string[] = [];
  for await (const line of readLines(chunks)) {
    if (line === '') {
      if (data.length > 0) yield { id, event: event || 'message', data: data.join('\n') };
      event = '';
      data = [];
      continue;
    }
    const [field, value] = fieldOf(line);
    if (field === 'data') data.push(value);
    else if (field === 'event') event = value;
    else if (field === 'id' && !value.includes('\0')) id = value;
  }
}

/** The field of a line and its value, without one leading space; a comment is a field without a name. */
function fieldOf(line: string): [field: string, value: string] {
  const colon = line.indexOf(':');
  if (colon === -1) return [line, ''];
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
}

/** Lines end with CR LF, LF or CR. A CR that ends a chunk ends its line at once; an LF that follows it is passed over. */
async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let afterCr = false;
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    if (text === '') continue;
    const lines = (rest + (afterCr && text.startsWith('\n') ? text.slice(1) : text)).split(/\r\n|\r|\n/);
    afterCr = text.endsWith('\r');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

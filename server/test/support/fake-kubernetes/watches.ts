import type { ServerResponse } from 'node:http';
import { type FakeStore, Refused, selectedBy } from './store.ts';

/** Watches of pods, which can be cut, silenced, or told that their version is forgotten. */
export class Watches {
  readonly #store: FakeStore;
  readonly #bookmarkMs: number;
  readonly #open = new Set<{ response: ServerResponse; end: () => void }>();
  /** Nothing is told any more, not even bookmarks: until the next watch, or for ever. */
  #silence: 'once' | 'always' | undefined;

  constructor(store: FakeStore, bookmarkMs: number) {
    this.#store = store;
    this.#bookmarkMs = bookmarkMs;
  }

  get count(): number {
    return this.#open.size;
  }

  open(query: URLSearchParams, response: ServerResponse): void {
    const version = query.get('resourceVersion') ?? '0';
    if (this.#store.isForgotten(version)) throw new Refused(410, 'Expired', 'too old resource version');
    if (this.#silence === 'once') this.#silence = undefined;
    const selected = selectedBy(query);
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.flushHeaders();
    const tell = (type: string, object: object) => {
      if (!this.#silence) response.write(`${JSON.stringify({ type, object })}\n`);
    };
    for (const { type, object } of this.#store.since(version))
      if (selected(object.metadata)) tell(type, object);
    const unsubscribe = this.#store.listen(({ type, object }) => {
      if (selected(object.metadata)) tell(type, object);
    });
    const bookmarks = setInterval(
      () => tell('BOOKMARK', { kind: 'Pod', metadata: { resourceVersion: this.#store.version } }),
      this.#bookmarkMs,
    );
    const timer = setTimeout(() => response.end(), Number(query.get('timeoutSeconds') ?? 240) * 1000);
    const watch = {
      response,
      end: () => {
        unsubscribe();
        clearInterval(bookmarks);
        clearTimeout(timer);
        this.#open.delete(watch);
      },
    };
    this.#open.add(watch);
    response.on('close', watch.end);
  }

  cut(): void {
    for (const { response, end } of this.#open) {
      end();
      response.socket?.destroy();
    }
  }

  silence(until: 'once' | 'always' = 'once'): void {
    this.#silence = until;
  }

  /** Ends watches with an error: their version is forgotten, or the server is in trouble. */
  fail(code: number, reason: string): void {
    for (const { response, end } of this.#open) {
      end();
      response.end(`${JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code, reason } })}\n`);
    }
  }
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { listenOnLoopback } from '../ports.ts';
import { judge, type Seen } from './answers.ts';
import type { Book } from './book.ts';

/** The kind of a message's first arrival at a runtime. */
export const GIVEN = 'messages given to runtimes';

/** A line about a runtime's work. */
export type Report =
  | ({ what: 'answer' } & Seen)
  | { what: 'tried' | 'done'; kind: string; key: string }
  | { what: 'given'; key: string };

/**
 * Takes what the runtimes tell: a runtime's own directory is lost when another copy of the service takes it over. They wait
 * until it is written down.
 */
export class Recorder {
  readonly #book: Book;
  readonly #server = createServer((request, response) => void this.#take(request, response));

  constructor(book: Book) {
    this.#book = book;
  }

  /** @returns where runtimes report */
  async start(): Promise<string> {
    return listenOnLoopback(this.#server);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#note((await json(request)) as Report);
    response.writeHead(204).end();
  }

  #note(report: Report): void {
    if (report.what === 'answer') judge(this.#book, report);
    else if (report.what === 'tried') this.#book.try(report.kind, report.key);
    else if (report.what === 'done') this.#book.acknowledge(report.kind, report.key);
    else if (!this.#book.acknowledge(GIVEN, report.key)) this.#book.allow('message given to a runtime again');
  }
}

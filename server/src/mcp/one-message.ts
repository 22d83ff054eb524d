import type { JSONRPCMessage, JSONRPCRequest, Transport } from '@modelcontextprotocol/server';
import type { Answer } from './json-rpc.ts';

/**
 * Carries one request to a server and its response back, and nothing else: what a revision without sessions leaves of
 * a connection. There is nothing to close. (The library's own goes by way of a web Response, which costs more than
 * all the rest of it.)
 */
export class OneMessage implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: Transport['onclose'];
  #answer: (answer: Answer) => void = () => {};

  async start(): Promise<void> {}

  async close(): Promise<void> {
    this.onclose?.();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    // A server's own requests and notifications would have nobody to go to.
    if ('result' in message || 'error' in message)
      this.#answer({ status: 200, text: JSON.stringify(message) });
  }

  exchange(request: JSONRPCRequest): Promise<Answer> {
    return new Promise((answer) => {
      this.#answer = answer;
      this.onmessage?.(request);
    });
  }
}

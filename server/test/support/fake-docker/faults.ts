import type { ServerResponse } from 'node:http';

/**
 * A daemon's misbehaviour: an answer with a status and a message, a `reset` instead of the call, a `lost` answer after
 * the call, or `silence`.
 */
export type Fault =
  | { status: number; message: string; headers?: Record<string, string> }
  | 'reset'
  | 'lost'
  | 'silence';

interface Planned {
  call: RegExp;
  fault: Fault;
  left: number;
}

export class Faults {
  readonly #planned: Planned[] = [];

  /** For the next calls whose `METHOD /path` matches. */
  plan(call: RegExp, fault: Fault, times = 1): void {
    this.#planned.push({ call, fault, left: times });
  }

  forget(): void {
    this.#planned.length = 0;
  }

  /** @returns true where the call must not be carried out */
  strike(call: string, response: ServerResponse): boolean {
    const planned = this.#planned.find((one) => one.left > 0 && one.call.test(call));
    if (!planned) return false;
    planned.left--;
    const { fault } = planned;
    if (fault === 'silence') return true;
    if (fault === 'reset') {
      response.socket?.destroy();
      return true;
    }
    if (fault === 'lost') {
      response.end = () => {
        response.socket?.destroy();
        return response;
      };
      return false;
    }
    response.writeHead(fault.status, { 'Content-Type': 'application/json', ...fault.headers });
    response.end(JSON.stringify({ message: fault.message }));
    return true;
  }
}

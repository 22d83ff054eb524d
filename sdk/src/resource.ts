import type { Caller } from './caller.ts';

/** A group of operations; see generated/resources.ts. */
export class Resource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }
}

import type { Caller } from './caller.ts';

export class Resource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }
}

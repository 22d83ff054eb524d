import { join } from 'node:path';
import { WorkThread } from './work-thread.ts';

const SCRIPT = join(import.meta.dirname, '../../hash-thread.mjs');

/** With `hashed`, the plaintext is verified against it, or against each. */
export interface HashJob {
  plaintext: string;
  hashed?: string | readonly string[];
}

export type HashResult = string | boolean | boolean[];

/** A low-priority thread that computes one hash at a time. */
export class HashThread extends WorkThread<HashJob, HashResult> {
  constructor(script: string | URL = SCRIPT) {
    super('hashing', script);
  }
}

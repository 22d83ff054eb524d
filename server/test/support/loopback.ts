import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Whoever listens here has the addresses. No runtime does. */
const MARK = { place: '255.254', port: 8699 };
const TRIES = 1000;

export interface Loopback {
  /** The first half of addresses, such as 127.42. */
  prefix: string;
  release: () => void;
}

/** Addresses that no other test of this machine has meanwhile: all runtimes listen at the same port. */
export async function reserveLoopback(): Promise<Loopback> {
  for (let count = 0; count < TRIES; count++) {
    const prefix = `127.${randomInt(1, 255)}`;
    const mark = createServer().unref();
    const isFree = once(mark, 'listening').then(
      () => true,
      () => false,
    );
    mark.listen(MARK.port, `${prefix}.${MARK.place}`);
    if (await isFree) return { prefix, release: () => void mark.close() };
  }
  throw new Error('No addresses in 127.0.0.0/8 are free');
}

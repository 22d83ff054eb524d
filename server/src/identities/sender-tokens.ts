import type { Sender } from '../platform/actor.ts';
import { type Key, open, seal } from '../secrets/sealing.ts';

const SENDER_TOKEN_SECONDS = 15 * 60;

const START = 'ast_';
const CONTEXT = 'sender-token';

/**
 * Tokens of forwarded messages (contract, section 17). A token contains the sender, sealed: nothing is stored, and the
 * runtime cannot read it.
 */
export class SenderTokens {
  readonly #key: Key;

  /** @param key shared by all processes */
  constructor(key: Key) {
    this.#key = key;
  }

  mint(sender: Sender, now: Date): string {
    const expires_at = now.getTime() + SENDER_TOKEN_SECONDS * 1000;
    const sealed = seal(this.#key, JSON.stringify({ sender, expires_at }), CONTEXT);
    return START + sealed.toString('base64url');
  }

  /** undefined for an invalid or expired token. */
  read(token: string, now: Date): Sender | undefined {
    if (!token.startsWith(START)) return undefined;
    try {
      const sealed = Buffer.from(token.slice(START.length), 'base64url');
      const { sender, expires_at } = JSON.parse(open(this.#key, sealed, CONTEXT).toString()) as {
        sender: Sender;
        expires_at: number;
      };
      return expires_at > now.getTime() ? sender : undefined;
    } catch {
      return undefined;
    }
  }
}

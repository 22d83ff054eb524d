import { rateLimited } from '../errors.ts';

/** With the second that a key is believed without a question, that is how long anybody goes on. */
const LOOK_EVERY_MS = 1000;
/** Of one tenant. Each costs a look at its session a second: 1,200 of one user had all others wait 40 times as long. */
const MAX_AT_ONCE = 200;

interface LongLivedResponse {
  tenant_id: string;
  isStillAdmitted: () => Promise<boolean>;
  onRefused: () => void;
  isAsked: boolean;
}

/**
 * Long-lived responses, such as event streams, end with the key or the session that asked for them. They are looked
 * after at the same moment, so that what is asked about them travels together, however many there are.
 */
export class LongLivedResponses {
  readonly #responses = new Set<LongLivedResponse>();
  #timer: NodeJS.Timeout | undefined;

  /**
   * Throws 429 where the tenant has as many as it may.
   * @param onRefused called once the caller would not be admitted any more. @returns how to have it forgotten
   */
  watch(tenant_id: string, isStillAdmitted: () => Promise<boolean>, onRefused: () => void): () => void {
    const ofTenant = [...this.#responses].filter((response) => response.tenant_id === tenant_id);
    if (ofTenant.length >= MAX_AT_ONCE) throw rateLimited(1, 'Too many event streams at once');
    const response = { tenant_id, isStillAdmitted, onRefused, isAsked: false };
    this.#responses.add(response);
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    return () => {
      this.#responses.delete(response);
      if (this.#responses.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  #look(): void {
    for (const response of this.#responses) if (!response.isAsked) void this.#ask(response);
  }

  async #ask(response: LongLivedResponse): Promise<void> {
    response.isAsked = true;
    // Where nobody can say, the next look may.
    const isRefused = await response.isStillAdmitted().then(
      (isAdmitted) => !isAdmitted,
      () => false,
    );
    response.isAsked = false;
    if (isRefused && this.#responses.has(response)) response.onRefused();
  }
}

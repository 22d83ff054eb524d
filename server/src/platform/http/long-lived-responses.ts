import { rateLimited } from '../errors.ts';
import type { FindLoadLimit } from '../load/admission.ts';

/** A revoked caller keeps a response for this long, plus the second of the key cache. */
const LOOK_EVERY_MS = 1000;
interface LongLivedResponse {
  tenant_id: string;
  isStillAdmitted: () => Promise<boolean>;
  onRefused: () => void;
  isAsked: boolean;
}

/**
 * Ends long-lived responses, such as event streams, with the key or session that opened them. All are checked in one
 * turn, so their reads travel together.
 */
export class LongLivedResponses {
  readonly #responses = new Set<LongLivedResponse>();
  readonly #findLimit: FindLoadLimit;
  #timer: NodeJS.Timeout | undefined;

  constructor(findLimit: FindLoadLimit) {
    this.#findLimit = findLimit;
  }

  /**
   * Rejects with 429 where the tenant has too many.
   * @param onRefused called once the caller is not admitted any more. @returns unwatch
   */
  async watch(
    tenant_id: string,
    isStillAdmitted: () => Promise<boolean>,
    onRefused: () => void,
  ): Promise<() => void> {
    const most = await this.#findLimit(tenant_id, 'streams');
    const ofTenant = [...this.#responses].filter((response) => response.tenant_id === tenant_id);
    if (ofTenant.length >= most) throw rateLimited(1, 'Too many event streams at once');
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
    // An error decides nothing; the next check may.
    const isRefused = await response.isStillAdmitted().then(
      (isAdmitted) => !isAdmitted,
      () => false,
    );
    response.isAsked = false;
    if (isRefused && this.#responses.has(response)) response.onRefused();
  }
}

import { rateLimited } from '../errors.ts';
import type { FindLoadLimit } from '../load/admission.ts';

/** A revoked caller keeps a response for this long, plus the second of the key cache. */
const CHECK_EVERY_MS = 1000;
interface LongLivedResponse {
  tenant_id: string;
  isStillAdmitted: () => Promise<boolean>;
  onRefused: () => void;
  isBeingChecked: boolean;
}

/**
 * Ends long-lived responses, such as event streams, with the key or session that opened them. Checks all in one
 * event-loop turn, so that their reads are grouped.
 */
export class LongLivedResponses {
  readonly #responses = new Set<LongLivedResponse>();
  readonly #findLimit: FindLoadLimit;
  #timer: NodeJS.Timeout | undefined;

  constructor(findLimit: FindLoadLimit) {
    this.#findLimit = findLimit;
  }

  /**
   * 429 when the tenant has too many.
   * @param onRefused called when the caller loses access
   * @returns unwatch
   */
  async watch(
    tenant_id: string,
    isStillAdmitted: () => Promise<boolean>,
    onRefused: () => void,
  ): Promise<() => void> {
    const most = await this.#findLimit(tenant_id, 'streams');
    const ofTenant = [...this.#responses].filter((response) => response.tenant_id === tenant_id);
    if (ofTenant.length >= most) throw rateLimited(1, 'Too many event streams at once');
    const response = { tenant_id, isStillAdmitted, onRefused, isBeingChecked: false };
    this.#responses.add(response);
    this.#timer ??= setInterval(() => this.#checkAll(), CHECK_EVERY_MS).unref();
    return () => {
      this.#responses.delete(response);
      if (this.#responses.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  #checkAll(): void {
    for (const response of this.#responses) if (!response.isBeingChecked) void this.#check(response);
  }

  async #check(response: LongLivedResponse): Promise<void> {
    response.isBeingChecked = true;
    // An error is not a refusal; the next check may decide.
    const isRefused = await response.isStillAdmitted().then(
      (isAdmitted) => !isAdmitted,
      () => false,
    );
    response.isBeingChecked = false;
    if (isRefused && this.#responses.has(response)) response.onRefused();
  }
}

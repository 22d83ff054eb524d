import { LRUCache } from 'lru-cache';
import type { Notifications } from '../platform/db/notifications.ts';
import type { ChangeKind } from './live.contract.ts';

/** Bounds the memory: tenants, and answers of each. */
const MAX = { tenants: 200, answers: 16 };

interface Stored<T> {
  /** Where hints come from: another one may have missed some. */
  session: object;
  answers: LRUCache<string, Promise<T>>;
}

interface Life {
  maxAgeMs: number;
  /** Changes of these end a tenant's answers. */
  endedBy: ReadonlySet<ChangeKind>;
}

/** Answers that a tenant's callers of a kind share, until one is too old or something changes. */
export class StoredAnswers<T extends object> {
  readonly #tenants = new LRUCache<string, Stored<T>>({ max: MAX.tenants });
  readonly #notifications: Notifications;
  readonly #maxAgeMs: number;

  constructor(notifications: Notifications, { maxAgeMs, endedBy }: Life) {
    this.#notifications = notifications;
    this.#maxAgeMs = maxAgeMs;
    notifications.subscribe('changes', (payload) => {
      const { tenant_id, kind } = JSON.parse(payload) as { tenant_id: string; kind: ChangeKind };
      if (endedBy.has(kind)) this.#tenants.delete(tenant_id);
    });
  }

  /** @param variant what the answer depends on besides the tenant */
  async get(tenant_id: string, variant: string, compute: () => Promise<T>): Promise<T> {
    // Hints of everything that was changed before this request have come once this resolves.
    const session = await this.#notifications.caughtUp();
    if (!session) return compute();
    const answers = this.#answersOf(tenant_id, session);
    const stored = answers.get(variant);
    if (stored) return stored;
    const answer = compute();
    answers.set(variant, answer);
    answer.catch(() => answers.delete(variant));
    return answer;
  }

  #answersOf(tenant_id: string, session: object): Stored<T>['answers'] {
    const stored = this.#tenants.get(tenant_id);
    if (stored?.session === session) return stored.answers;
    const answers = new LRUCache<string, Promise<T>>({ max: MAX.answers, ttl: this.#maxAgeMs });
    this.#tenants.set(tenant_id, { session, answers });
    return answers;
  }
}

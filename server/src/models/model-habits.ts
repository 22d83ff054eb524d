import type { LlmEndpoint } from './llm-client.port.ts';
import type { FieldChange } from './refused-fields.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;
const MOST_MODELS = 5000;
const MOST_CHANGES = 40;

interface Model {
  /** A lesson is for the tenant alone whose call taught it, because its request may have provoked it. */
  tenant_id: string;
  model: string;
  endpoint: LlmEndpoint;
}

/**
 * What models taught for a day. Each process learns for itself: a lesson costs one refused request, which is cheaper than a
 * read from the database with every call.
 */
export class ModelHabits {
  readonly #changes = new Lessons<readonly FieldChange[]>();
  readonly #unopened = new Lessons<true>();

  /** How the model wants its requests. */
  changesFor(model: Model): readonly FieldChange[] {
    return this.#changes.get(keyOf(model)) ?? [];
  }

  learnChanges(model: Model, changes: readonly FieldChange[]): void {
    this.#changes.set(keyOf(model), changes.slice(-MOST_CHANGES));
  }

  /** It ends reasoning that it never began. */
  thinksUnopened(model: Model): boolean {
    return this.#unopened.get(keyOf(model)) ?? false;
  }

  learnUnopened(model: Model): void {
    this.#unopened.set(keyOf(model), true);
  }
}

/** Another address is another provider, also under the same name. */
const keyOf = ({ tenant_id, model, endpoint }: Model): string =>
  JSON.stringify([tenant_id, endpoint.base_url, model]);

class Lessons<T> {
  /** In the order of learning. */
  readonly #kept = new Map<string, { lesson: T; until: number }>();

  get(key: string): T | undefined {
    const kept = this.#kept.get(key);
    return kept && kept.until > Date.now() ? kept.lesson : undefined;
  }

  set(key: string, lesson: T): void {
    this.#kept.delete(key);
    this.#kept.set(key, { lesson, until: Date.now() + KEPT_MS });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_MODELS) break;
      this.#kept.delete(oldest);
    }
  }
}

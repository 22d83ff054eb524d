import { Counter, type Registry } from 'prom-client';
import { Outcomes } from '../platform/outcomes.ts';
import { OTHER_FIELD } from './webhook-payload.ts';

/** The channel has about 30 fields; each is a time series. */
const MOST_FIELDS = 64;

export class ChannelMetrics {
  readonly received;
  readonly sent;
  readonly changes;

  constructor(registry: Registry) {
    this.received = new Outcomes(registry, {
      name: 'acp_channel_messages_total',
      help: 'Items of inbound webhooks, by what became of them',
      outcomes: ['stored', 'duplicate', 'unknown_number', 'status', 'unparseable'],
    });
    this.sent = new Outcomes(registry, {
      name: 'acp_outbound_total',
      help: 'Parts of messages that were sent to the channel, by its answer',
      outcomes: ['accepted', 'unauthorized', 'refused', 'failed', 'limited', 'unknown'],
    });
    this.changes = new Changes(registry);
  }
}

/** Changes of verified webhooks, by the name of their field. */
class Changes {
  readonly #counter: Counter;
  readonly #known = new Set<string>();

  constructor(registry: Registry) {
    this.#counter = new Counter({
      name: 'acp_webhook_changes_total',
      help: 'Changes of inbound webhooks, by the channel’s name of their field',
      labelNames: ['field'],
      registers: [registry],
    });
  }

  count(fields: readonly string[]): void {
    for (const field of fields) {
      if (this.#known.size < MOST_FIELDS) this.#known.add(field);
      this.#counter.inc({ field: this.#known.has(field) ? field : OTHER_FIELD });
    }
  }
}

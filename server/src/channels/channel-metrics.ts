import type { Registry } from 'prom-client';
import { Outcomes } from '../platform/outcomes.ts';

export class ChannelMetrics {
  readonly received;
  readonly sent;

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
  }
}

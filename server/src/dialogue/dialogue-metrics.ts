import type { Registry } from 'prom-client';
import { Outcomes } from '../platform/outcomes.ts';

export class DialogueMetrics {
  readonly forwarded;

  constructor(registry: Registry) {
    this.forwarded = new Outcomes(registry, {
      name: 'acp_messages_total',
      help: 'Messages on their way to runtimes: delivered, failed (one try), dead (given up) or refused (too many of a sender, or a loop)',
      outcomes: ['delivered', 'failed', 'dead', 'refused'],
    });
  }
}

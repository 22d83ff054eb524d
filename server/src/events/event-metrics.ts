import type { Registry } from 'prom-client';
import { Outcomes } from '../platform/outcomes.ts';

export class EventMetrics {
  readonly deliveries;

  constructor(registry: Registry) {
    this.deliveries = new Outcomes(registry, {
      name: 'acp_event_deliveries_total',
      help: 'Deliveries of events, by what became of a call, and those that ended without one',
      outcomes: ['delivered', 'retried', 'failed', 'overflow', 'switched_off'],
    });
  }
}

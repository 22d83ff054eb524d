import type { OperatorOverview } from '@agent-control-plane/sdk';
import { expect, it } from 'vitest';
import { operatorNeeds } from '../../src/rules/operator-needs.ts';

const WELL: OperatorOverview = {
  version: '1.0.0',
  tenants: 2,
  instances: { pending: 0, provisioning: 0, running: 3, stopped: 1, failed: 0, terminating: 0 },
  hosts: { alive: 1, dead: 0 },
  messages: { pending: 0, queued: 0, dead: 0, failed: 0 },
  oldest_message_seconds: 0,
  queues: { deliver: { depth: 2, oldest_seconds: 3 } },
  certificates_expiring: 0,
  providers: [{ slug: 'default', ok: true, at: '2026-11-27T09:00:00.000Z', error: null }],
  isolation: 'on',
  database: 'ok',
};

it('wants nothing of a service that is well', () => {
  expect(operatorNeeds(WELL)).toEqual([]);
});

it('says what is broken before what is late', () => {
  const needs = operatorNeeds({
    ...WELL,
    hosts: { alive: 1, dead: 1 },
    queues: { deliver: { depth: 9, oldest_seconds: 300 } },
    providers: [{ slug: 'house', ok: false, at: '2026-11-27T09:00:00.000Z', error: 'no route' }],
    isolation: 'off',
  });
  expect(needs.map(({ title, detail }) => `${title}: ${detail}`)).toEqual([
    '1 host is dead: Not seen for 30 seconds; others take over what ran there',
    'house does not answer: no route',
    'Jobs are late: The oldest has been due for 5 min',
    'Runtimes are not isolated: off: They could reach what the service’s own machine reaches',
  ]);
});

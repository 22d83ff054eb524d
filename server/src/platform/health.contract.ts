import Type from 'typebox';
import { NamedObject } from './contract/named.ts';
import { operation } from './contract/operation.ts';

export const getHealth = operation({
  id: 'get_health',
  method: 'GET',
  path: '/healthz',
  tag: 'Operations',
  summary: 'Whether the process is alive',
  credential: 'none',
  scope: null,
  responses: { 200: NamedObject('Health', { status: Type.Literal('ok') }) },
});

const Readiness = NamedObject('Readiness', {
  status: Type.Literal('ready'),
  checks: Type.Object({
    isolation: Type.String({ description: 'How far runtimes are isolated: on, off or missing: …' }),
  }),
});

export const getReadiness = operation({
  id: 'get_readiness',
  method: 'GET',
  path: '/readyz',
  tag: 'Operations',
  summary: 'Whether the database is reachable and migrated',
  credential: 'none',
  scope: null,
  responses: { 200: Readiness },
  failures: [503],
});

export const getMetrics = operation({
  id: 'get_metrics',
  method: 'GET',
  path: '/metrics',
  tag: 'Operations',
  summary: 'Prometheus metrics of this process',
  credential: 'none',
  scope: null,
  responses: { 200: Type.String() },
  produces: ['text/plain'],
});

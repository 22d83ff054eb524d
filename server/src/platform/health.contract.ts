import Type from 'typebox';
import { NamedObject } from './contract/named.ts';
import { operation } from './contract/operation.ts';
import { about, Literals } from './contract/shapes.ts';

export const getHealth = operation({
  id: 'get_health',
  method: 'GET',
  path: '/healthz',
  tag: 'Operations',
  summary: 'Whether the process is alive',
  description: 'Answers as long as the process serves requests. It asks nothing else.',
  credential: 'none',
  scope: null,
  responses: { 200: NamedObject('Health', { status: Type.Literal('ok') }) },
});

const Checks = Type.Object({
  database: about(
    Literals(['ok', 'busy', 'read_only', 'full', 'unreachable']),
    '`busy`: reached, and requests wait for it; `full`: its disk has no room',
  ),
  migrations: about(
    Literals(['applied', 'ahead', 'incompatible', 'unknown']),
    '`ahead`: a newer version has migrated, and this one may still run on its schema',
  ),
  isolation: about(Type.String(), 'How far runtimes are isolated: on, off or missing: …'),
});

const Readiness = NamedObject('Readiness', { status: Type.Literal('ready'), checks: Checks });
const Unreadiness = NamedObject('Unreadiness', {
  detail: about(Type.String(), 'The reason, for a person'),
  status: Type.Literal('unready'),
  checks: Checks,
});

export const getReadiness = operation({
  id: 'get_readiness',
  method: 'GET',
  path: '/readyz',
  tag: 'Operations',
  summary: 'Whether the database is reachable and migrated',
  description:
    'A busy database is ready; one that takes no writes or has no room is not. 503 while the service cannot work, ' +
    'and from the moment at which it is asked to stop.',
  credential: 'none',
  scope: null,
  responses: { 200: Readiness },
  failures: [503],
  failureShapes: { 503: Unreadiness },
});

export const getMetrics = operation({
  id: 'get_metrics',
  method: 'GET',
  path: '/metrics',
  tag: 'Operations',
  summary: 'Prometheus metrics of this process',
  description: 'Text in the format of Prometheus, version 0.0.4. Open to whoever reaches the port.',
  credential: 'none',
  scope: null,
  responses: { 200: Type.String() },
  produces: ['text/plain'],
});

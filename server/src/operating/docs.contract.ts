import type { FieldDocs } from '../platform/contract/wording.ts';

export const operatingDocs: FieldDocs = {
  texts: {
    'OperatorOverview.hosts': 'Copies of the service, by state',
    'OperatorOverview.messages': 'Messages that wait or were given up, by status',
  },
  examples: {
    'messages.failed': 1,
    'get_operator_overview.version': '1.4.0',
    'get_operator_overview.slug': 'default',
    'get_operator_overview.database': 'ok',
    queues: { converse: { depth: 2, oldest_seconds: 1.5 } },
  },
};

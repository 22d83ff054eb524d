import type { FieldDocs } from '../platform/contract/wording.ts';

export const dialogueDocs: FieldDocs = {
  examples: {
    'list_instance_triggers.name': 'timesheet',
    'list_instance_triggers.schedule': '0 16 * * 5',
    'list_instance_triggers.to': '+61400000000',
    'list_instance_triggers.next_at': '2026-11-27T05:00:00.000Z',
    'list_instance_triggers.last_at': '2026-11-20T05:00:00.000Z',
    'list_instance_triggers.last_error': null,
    opted_out: false,
  },
};

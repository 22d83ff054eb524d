import type { FieldDocs } from '../platform/contract/wording.ts';

export const toolsDocs: FieldDocs = {
  texts: {
    decision: 'What was decided about the call',
  },
  examples: {
    approval_id: '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a19',
    'Approvals.id': '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a19',
    'rule.tool': 'crm__*',
    'rule.expires_minutes': 1440,
    'rule.recipe_revision': 3,
    'decided_by.name': 'admin@example.com',
    'list_approvals.sort_by': 'requested_at',
    'decided_by.id': '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a02',
    requested_at: '2026-11-20T09:00:00.000Z',
    decided_at: '2026-11-20T09:12:00.000Z',
    'Approvals.arguments': {
      title: 'Swap a shift',
    },
    'Approvals.result': {
      content: [
        {
          type: 'text',
          text: 'Ticket 4711',
        },
      ],
    },
    'Approvals.status': 'approved',
    comment: 'Fine with me',
  },
  bodies: {
    'call_tools request': {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'crm__create_ticket',
        arguments: {
          title: 'Swap a shift',
        },
      },
    },
    'call_tools application/json': {
      jsonrpc: '2.0',
      id: 1,
      result: {
        content: [
          {
            type: 'text',
            text: 'Ticket 4711',
          },
        ],
      },
    },
  },
};

import type { FieldDocs } from '../platform/contract/wording.ts';

export const hostingDocs: FieldDocs = {
  texts: {
    config: 'The configuration of the customer, merged for its agent',
  },
  examples: {
    config: {
      system_prompt: 'You answer the crew of a logistics company, briefly.',
      skills: [
        'staff_query',
        'worker_shifts',
        {
          slug: 'timesheet',
          pin_required: true,
        },
      ],
      channel_types: ['chatapp'],
      channel_config: {
        greeting: 'Good morning',
      },
    },
    'resolve_domain.display_name': 'Harbour Logistics',
  },
};

import type { FieldDocs } from '../platform/contract/wording.ts';

export const redactionDocs: FieldDocs = {
  texts: {
    stripped: 'Values that were left out because they look secret or personal',
  },
  examples: {
    'stripped.pointer': '/channel_config/owner_phone',
    'stripped.kind': 'phone_number',
  },
};

import type { FieldDocs } from '../platform/contract/wording.ts';

export const identitiesDocs: FieldDocs = {
  texts: {
    customer_email: 'The customer’s e-mail address',
    identity_id: 'The identity’s id',
    role_override: 'A role in place of the one that the agent would give',
    verified: 'True where it was proven',
  },
  examples: {
    identity_id: '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a09',
    'Identities.id': '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a09',
    customer_email: 'ops@example.com',
    role_override: null,
    verified: true,
    attributes: {},
    'x-sender-token': 'ast_example-sender-token',
  },
  bodies: {
    'update_identity request': {
      display_name: 'Ana Silva',
    },
  },
};

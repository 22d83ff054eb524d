import type { FieldDocs } from '../platform/contract/wording.ts';

export const secretsDocs: FieldDocs = {
  texts: {
    ca_keys: 'Keys of the certificate authority that were sealed anew',
    chain_heads: 'Heads of audit chains that were sealed anew',
    service_keys: 'Keys of the service itself that were sealed anew',
    tenant_keys: 'Keys of tenants that were sealed anew',
  },
  examples: {
    tenant_keys: 3,
    ca_keys: 2,
    service_keys: 4,
    remaining: 0,
  },
};

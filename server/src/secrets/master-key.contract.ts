import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';

const tag = 'Master key';

const Count = Type.Integer({ minimum: 0 });
const RewrapResult = NamedObject('RewrapResult', {
  tenant_keys: Count,
  ca_keys: Count,
  chain_heads: Count,
  service_keys: Count,
  remaining: Type.Integer({
    minimum: 0,
    description:
      'What is not under the current master key. Above 0, call again: a call ends after 20 seconds.',
  }),
});

export const rewrapMasterKey = operation({
  id: 'rewrap_master_key',
  method: 'POST',
  path: '/internal/v1/master-key/rewrap',
  tag,
  summary: 'Wrap everything anew by the current master key',
  description:
    'For when MASTER_KEY was changed: what still stands under one of MASTER_KEY_PREVIOUS is brought under MASTER_KEY. May be repeated, also by several at once. It tells what stands in the database, not what every copy of the service does: one that still has an earlier MASTER_KEY answers 503 where it would wrap by it, until it is started with the current one. 409 where a copy was started later with another MASTER_KEY.',
  credential: 'operations',
  scope: null,
  responses: { 200: RewrapResult },
  failures: [409],
});

export const rotateMasterKey = operation({
  id: 'rotate_master_key',
  method: 'POST',
  path: '/internal/v1/master-key/rotate',
  tag,
  summary: 'Replace the master key of an embedded installation',
  description:
    'Makes a new key, keeps it in DATA_DIR, wraps everything anew by it and forgets the one before. 409, with what to do instead, where the key is set by MASTER_KEY.',
  credential: 'operations',
  scope: null,
  responses: { 200: RewrapResult },
  failures: [409],
});

import { randomUUID } from 'node:crypto';
import type { Caller } from '../conversations/caller.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import type { WaitingRule } from '../recipes/fields/approval-rules.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { sealApproval } from './approval-content.ts';
import { insertApproval, lockInstance } from './approvals.db.ts';
import type { CallRecords } from './call-records.port.ts';

/** @returns the id of the waiting approval, the same one for an equal call that waits; undefined when too many wait */
export async function requestApproval(
  { keyring, callRecords }: { keyring: Keyring; callRecords: CallRecords },
  q: TenantQueryable,
  { instance_id, customer_id, conversation_id }: Caller,
  { tool, args, rule }: { tool: string; args: JsonObject; rule: WaitingRule },
): Promise<string | undefined> {
  const id = randomUUID();
  // Arguments without a canonical form equal no others.
  const call_hash = callRecords.fingerprint(q.tenant_id, tool, args) ?? id;
  const sealed_content = await sealApproval(keyring, q, id, { arguments: args });
  const approval = {
    id,
    instance_id,
    customer_id,
    conversation_id,
    tool,
    call_hash,
    sealed_content,
    rule,
  };
  const { waiting } = await q.run({ lock: lockInstance(instance_id), waiting: insertApproval(approval) });
  return waiting?.id;
}

import type { Static } from 'typebox';
import { findServedConfig } from '../conversations/caller.db.ts';
import { readsCustomers } from '../customers/customer-names.ts';
import type { Actor } from '../platform/actor.ts';
import type { TenantDb, TenantQueryable } from '../platform/db/queryable.ts';
import { conflict, found } from '../platform/errors.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { findTool, readMcpServers } from '../recipes/fields/mcp-servers.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { openApproval, sealApproval } from './approval-content.ts';
import type { Approval } from './approvals.contract.ts';
import {
  type ApprovalRow,
  decideApproval,
  findApproval,
  findNamedApproval,
  type NamedApproval,
} from './approvals.db.ts';

export interface ApprovalServices {
  keyring: Keyring;
}

export async function readApproval(
  { keyring }: ApprovalServices,
  q: TenantQueryable,
  { is_shortened = false, ...row }: NamedApproval & { is_shortened?: boolean },
): Promise<Static<typeof Approval>> {
  const { sealed_content: _, claimed_at: __, finished_at: ___, told_at: ____, ...rest } = row;
  const content = await openApproval(keyring, q, row);
  return {
    ...rest,
    arguments: content.arguments ?? null,
    result: content.result ?? null,
    comment: content.comment ?? null,
    is_shortened,
  };
}

export async function readOutcome({ keyring }: ApprovalServices, q: TenantQueryable, row: ApprovalRow) {
  const { id, tool, status, expires_at } = row;
  const { result = null, comment = null } = await openApproval(keyring, q, row);
  return { id, tool, status, result, comment, expires_at };
}

/** One of several concurrent decisions succeeds; the others get 409. */
export async function decide(
  services: ApprovalServices,
  q: TenantDb,
  actor: Actor,
  id: string,
  { decision, comment }: { decision: 'approve' | 'reject'; comment?: string | null | undefined },
): Promise<Static<typeof Approval>> {
  const { keyring } = services;
  const row = found('Approval', await q.run(findApproval(id)));
  const isAllowed = decision === 'reject' || (await findAllowedTool(q, row)) !== undefined;
  const content = await openApproval(keyring, q, row);
  const sealed_content =
    row.sealed_content && (await sealApproval(keyring, q, id, { ...content, ...(comment && { comment }) }));
  if (row.status === 'waiting' && !isAllowed) throw conflict('The agent may not call this tool any more');
  const status = decision === 'approve' ? 'approved' : 'rejected';
  const { isDecided, decided } = await q.run({
    isDecided: decideApproval({ id, status, sealed_content, decided_by: deciderOf(actor) }),
    decided: findNamedApproval(id, readsCustomers(actor)),
  });
  if (!isDecided) throw conflict('The approval is decided or has expired');
  return readApproval(services, q, found('Approval', decided));
}

/** By the current configuration; undefined when the agent may not call the tool any more. */
export async function findAllowedTool(q: TenantQueryable, { instance_id, customer_id, tool }: ApprovalRow) {
  const config: JsonObject | undefined = await q.run(findServedConfig(instance_id, customer_id));
  return config && findTool(readMcpServers(config), tool);
}

function deciderOf(actor: Actor): ApprovalRow['decided_by'] {
  if (actor.kind === 'user') return { kind: 'user', id: actor.user_id };
  return actor.kind === 'api_key' ? { kind: 'api_key', id: actor.key_id } : null;
}

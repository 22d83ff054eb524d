import { randomUUID } from 'node:crypto';
import { sealContent } from '../conversations/message-content.ts';
import { queueSystemMessage } from '../conversations/system-messages.db.ts';
import type { TenantDb } from '../platform/db/queryable.ts';
import { openApproval, sealApproval } from './approval-content.ts';
import {
  type ApprovalRow,
  claimApproval,
  expireApproval,
  findApproval,
  finishApproval,
  markTold,
} from './approvals.db.ts';
import { findAllowedTool } from './approvals.ts';
import { type ToolResult } from './tool-servers.port.ts';
import { callServer, failure, recordCall, type ToolServices } from './tools.ts';

const UNKNOWN = 'Nobody knows if the call was made: the service ended while it waited for the answer.';
const FORBIDDEN = 'The agent may not call this tool any more.';
const ERASED = 'The arguments were erased before the call was made, or cannot be read.';

/**
 * The job of an approval: expires it, makes the approved call, and sends the outcome to the agent. A call that an earlier run
 * claimed but did not finish is not made again, because it may have succeeded.
 * @returns when to run again
 */
export async function settleApproval(
  services: ToolServices,
  q: TenantDb,
  id: string,
  signal: AbortSignal,
): Promise<Date | undefined> {
  const { row } = await q.run({ expired: expireApproval(id), row: findApproval(id) });
  if (!row) return undefined;
  if (row.status === 'waiting') return row.expires_at;
  if (row.status === 'approved' && row.finished_at === null) await makeCall(services, q, row, signal);
  await sendOutcome(services, q, id);
  return undefined;
}

async function makeCall(
  services: ToolServices,
  q: TenantDb,
  row: ApprovalRow,
  signal: AbortSignal,
): Promise<void> {
  const { id } = row;
  const { arguments: args, ...content } = await openApproval(services.keyring, q, row);
  const finish = async (status: 'approved' | 'failed', result: ToolResult) => {
    const kept = { ...(args && { arguments: args }), ...content, result };
    const sealed = await sealApproval(services.keyring, q, id, kept);
    await q.run(finishApproval(id, status, sealed));
  };
  if (row.claimed_at !== null) return finish('failed', failure(UNKNOWN));
  const target = await findAllowedTool(q, row);
  if (!target) return finish('failed', failure(FORBIDDEN));
  if (!args) return finish('failed', failure(ERASED));
  if (!(await q.run(claimApproval(id)))) return;
  const begun = performance.now();
  const call = { ...target, args, idempotency_key: id };
  const { kind, result } = await callServer(services, q, row, call, signal);
  const isBrokenOff = kind === 'unknown' && signal.aborted;
  const isMade = kind === 'ok' || kind === 'tool_error';
  await finish(isMade ? 'approved' : 'failed', isBrokenOff ? failure(UNKNOWN) : result);
  await recordCall(services, q, kind, {
    name: row.tool,
    args,
    instance_id: row.instance_id,
    latency_ms: performance.now() - begun,
    request_id: id,
  });
}

/** Queues the outcome for the agent, if the call belongs to a conversation. */
async function sendOutcome({ keyring }: ToolServices, q: TenantDb, id: string): Promise<void> {
  const row = await q.run(findApproval(id));
  if (!row || row.finished_at === null || row.told_at !== null) return;
  const { conversation_id, tool, status } = row;
  if (conversation_id === null) return;
  const { result = null, comment = null } = await openApproval(keyring, q, row);
  const approval = { id, tool, status, result, comment };
  const system_message_id = randomUUID();
  const content = { text: approvalSummary(approval), notice: { approval } };
  const sealed_content = await sealContent(keyring, q, system_message_id, content);
  await q.transaction(async (tx) => {
    if (!(await tx.run(markTold(id)))) return;
    const message = {
      id: system_message_id,
      conversation_id,
      kind: 'approval',
      message_id: id,
      sealed_content,
    };
    await tx.run(queueSystemMessage(message));
  });
}

const MAX_RESULT_LENGTH = 2000;

/** For people and for the history. */
function approvalSummary({
  tool,
  status,
  result,
  comment,
}: {
  tool: string;
  status: string;
  result: ToolResult | null;
  comment: string | null;
}): string {
  const texts = (result?.content ?? []).flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  const resultText = texts.join(' ').slice(0, MAX_RESULT_LENGTH).toWellFormed();
  return [`Approval of ${tool}: ${status}.`, comment, resultText].filter(Boolean).join(' ');
}

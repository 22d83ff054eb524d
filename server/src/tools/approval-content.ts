import type { TenantQueryable } from '../platform/db/queryable.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { openedOr } from '../secrets/unreadable.ts';
import type { ApprovalRow } from './approvals.db.ts';
import type { ToolResult } from './tool-servers.port.ts';

/** The sealed part of an approval: everything that people, models and tools wrote. */
interface ApprovalContent {
  arguments?: JsonObject;
  result?: ToolResult;
  comment?: string;
}

const contextOf = (id: string) => `approval:${id}`;

export const sealApproval = (
  keyring: Pick<Keyring, 'seal'>,
  q: TenantQueryable,
  id: string,
  content: ApprovalContent,
): Promise<Buffer> => keyring.seal(q, JSON.stringify(content), contextOf(id));

/** Empty once it was erased, and where it cannot be deciphered. */
export async function openApproval(
  keyring: Pick<Keyring, 'open'>,
  q: TenantQueryable,
  { id, sealed_content }: Pick<ApprovalRow, 'id' | 'sealed_content'>,
): Promise<ApprovalContent> {
  if (sealed_content === null) return {};
  return JSON.parse(await openedOr(keyring.open(q, sealed_content, contextOf(id)), '{}')) as ApprovalContent;
}

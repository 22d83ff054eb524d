import { BOUNDS } from '../catalogue/bounds.contract.ts';
import { found } from '../platform/errors.ts';
import { ok, route } from '../platform/http/handler.ts';
import { page, shortened } from '../platform/http/page.ts';
import * as contract from './approvals.contract.ts';
import { findApproval, findInstanceApproval, listApprovals } from './approvals.db.ts';
import { type ApprovalServices, decide, readApproval, readOutcome } from './approvals.ts';

export const approvalRoutes = [
  route(contract.listApprovals, async ({ q, query }, services: ApprovalServices) => {
    const { status = null, instance_id = null } = query;
    const list = (limit: number, offset: number) => listApprovals({ status, instance_id }, limit, offset);
    const { items, ...rest } = await page(q, query, list);
    const rows = shortened(items, 'sealed_content', BOUNDS.page.contents_bytes);
    return ok({ ...rest, items: await Promise.all(rows.map((row) => readApproval(services, q, row))) });
  }),

  route(contract.getApproval, async ({ q, params: { approval_id } }, services: ApprovalServices) =>
    ok(await readApproval(services, q, found('Approval', await q.run(findApproval(approval_id))))),
  ),

  route(contract.decideApproval, async (call, services: ApprovalServices) =>
    ok(await decide(services, call.q, call.actor, call.params.approval_id, call.body)),
  ),

  route(contract.getInstanceApproval, async ({ q, sender, params }, services: ApprovalServices) => {
    const { instance_id, approval_id } = params;
    const of = { instance_id, conversation_id: sender?.conversation_id ?? null };
    return ok(
      await readOutcome(services, q, found('Approval', await q.run(findInstanceApproval(approval_id, of)))),
    );
  }),
];

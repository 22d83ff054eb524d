import { BOUNDS } from '../catalogue/bounds.contract.ts';
import { readsCustomers } from '../customers/customer-names.ts';
import { found } from '../platform/errors.ts';
import { ok, route } from '../platform/http/handler.ts';
import { page, shortened } from '../platform/http/page.ts';
import * as contract from './approvals.contract.ts';
import { findInstanceApproval, findNamedApproval, listApprovals } from './approvals.db.ts';
import { type ApprovalServices, decide, readApproval, readOutcome } from './approvals.ts';

export const approvalRoutes = [
  route(contract.listApprovals, async ({ q, actor, query }, services: ApprovalServices) => {
    const { status = null, instance_id = null, customer_id = null, conversation_id = null, sort_by } = query;
    const filter = { status, instance_id, customer_id, conversation_id, sort_by };
    const list = (limit: number, offset: number) =>
      listApprovals(filter, readsCustomers(actor), limit, offset);
    const { items, ...rest } = await page(q, query, list);
    const rows = shortened(items, 'sealed_content', BOUNDS.page.contents_bytes);
    return ok({ ...rest, items: await Promise.all(rows.map((row) => readApproval(services, q, row))) });
  }),

  route(contract.getApproval, async ({ q, actor, params }, services: ApprovalServices) => {
    const row = await q.run(findNamedApproval(params.approval_id, readsCustomers(actor)));
    return ok(await readApproval(services, q, found('Approval', row)));
  }),

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

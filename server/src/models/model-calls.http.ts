import { conversationExists } from '../conversations/conversations.db.ts';
import { ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import * as contract from './model-calls.contract.ts';
import { listModelCalls } from './model-calls.db.ts';

export const modelCallRoutes = [
  route(contract.listModelCalls, async ({ q, params, query }) => {
    const { from = null, to = null } = query;
    const list = (limit: number, offset: number) => listModelCalls({ ...params, from, to }, limit, offset);
    return ok(await page(q, query, list, conversationExists(params.conversation_id)));
  }),
];

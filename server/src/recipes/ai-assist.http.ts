import { ok, route } from '../platform/http/handler.ts';
import * as contract from './ai-assist.contract.ts';
import { draftRecipe } from './ai-assist.ts';

export const aiAssistRoutes = [
  route(contract.assistRecipe, async ({ services, q, body }) =>
    ok(await draftRecipe(services, q, body.description)),
  ),
];

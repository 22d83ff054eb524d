import { ok, route } from '../platform/http/handler.ts';
import * as contract from './ai-assist.contract.ts';
import { type AssistServices, draftRecipe } from './ai-assist.ts';

export const aiAssistRoutes = [
  route(contract.assistRecipe, async ({ q, body }, services: AssistServices) =>
    ok(await draftRecipe(services, q, body.description)),
  ),
];

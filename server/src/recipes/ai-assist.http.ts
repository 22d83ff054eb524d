import { ok, route } from '../platform/http/handler.ts';
import type { Services } from '../services.ts';
import * as contract from './ai-assist.contract.ts';
import { draftRecipe } from './ai-assist.ts';

export const aiAssistRoutes = [
  route(contract.assistRecipe, async ({ q, body }, services: Services) =>
    ok(await draftRecipe(services, q, body.description)),
  ),
];

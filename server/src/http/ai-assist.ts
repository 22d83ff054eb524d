import * as contract from '../contract/ai-assist.ts';
import { draftRecipe } from '../domain/ai-assist.ts';
import { ok, route } from './handler.ts';

export const aiAssistRoutes = [
  route(contract.assistRecipe, async ({ services, q, body }) =>
    ok(await draftRecipe(services, q, body.description)),
  ),
];

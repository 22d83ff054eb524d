import { abortOnDisconnect, ok, route } from '../platform/http/handler.ts';
import * as contract from './templates.contract.ts';
import { listTemplates, type TemplateServices } from './templates.ts';

export const templateRoutes = [
  route(contract.listChannelTemplates, async ({ q, params, reply }, services: TemplateServices) =>
    ok({ items: await listTemplates(services, q, params.endpoint_id, abortOnDisconnect(reply)) }),
  ),
];

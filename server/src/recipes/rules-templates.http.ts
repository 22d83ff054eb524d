import { fieldsOf } from '../platform/db/rows.ts';
import { found } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import { limitValue } from '../platform/json/document-limit.ts';
import * as contract from './rules-templates.contract.ts';
import {
  deleteRulesTemplate,
  findRulesTemplate,
  insertRulesTemplate,
  listRulesTemplates,
  updateRulesTemplate,
} from './rules-templates.db.ts';

const WHERE = ['body', 'rules'];

export const rulesTemplateRoutes = [
  route(contract.listRulesTemplates, async ({ q, query }) => ok(await page(q, query, listRulesTemplates))),

  route(contract.createRulesTemplate, async ({ q, body }) => {
    limitValue(body.rules, WHERE);
    return created(await q.run(insertRulesTemplate(body)));
  }),

  route(contract.getRulesTemplate, async ({ q, params }) =>
    ok(found('Rules template', await q.run(findRulesTemplate(params.rules_template_id)))),
  ),

  route(contract.updateRulesTemplate, async ({ q, params, body }) => {
    const changes = fieldsOf(contract.RulesTemplateUpdate, body);
    limitValue(changes.rules ?? null, WHERE);
    return ok(found('Rules template', await q.run(updateRulesTemplate(params.rules_template_id, changes))));
  }),

  route(contract.deleteRulesTemplate, async ({ q, params }) => {
    found('Rules template', await q.run(deleteRulesTemplate(params.rules_template_id)));
    return noContent();
  }),
];

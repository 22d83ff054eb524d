import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Name,
  OpenObject,
  PageOf,
  PageQuery,
  params,
  query,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';
import { DOCUMENT_LIMIT_WORDS } from '../platform/json/document-limit.ts';

const tag = 'Rules templates';

export const RulesTemplate = NamedObject('RulesTemplate', {
  id: Uuid,
  tenant_id: Uuid,
  name: Type.String(),
  rules: OpenObject,
  created_at: Timestamp,
  updated_at: Timestamp,
});

const RulesTemplateCreate = NamedObject('RulesTemplateCreate', {
  name: about(Name, 'What the template is called'),
  rules: about(OpenObject, `The rules, as a customer has them: an object of ${DOCUMENT_LIMIT_WORDS}`),
});

export const RulesTemplateUpdate = NamedObject('RulesTemplateUpdate', {
  name: Type.Optional(RulesTemplateCreate.properties.name),
  rules: Type.Optional(RulesTemplateCreate.properties.rules),
});

const RulesTemplateParams = params({ rules_template_id: about(Uuid, 'The template’s id') });

export const listRulesTemplates = operation({
  id: 'list_rules_templates',
  method: 'GET',
  path: '/v1/rules-templates',
  tag,
  summary: 'List templates of rules',
  description:
    'Newest first. A recipe names one by `rules_template_id`. A page of more than 4 MiB is refused: ask for fewer.',
  credential: 'tenant',
  scope: 'recipes:read',
  query: query(PageQuery),
  responses: { 200: PageOf(RulesTemplate) },
});

export const createRulesTemplate = operation({
  id: 'create_rules_template',
  method: 'POST',
  path: '/v1/rules-templates',
  tag,
  summary: 'Create a template of rules',
  description: 'A deploy of a recipe that names it copies the rules to a customer who has none.',
  credential: 'admin',
  scope: 'recipes:write',
  body: RulesTemplateCreate,
  responses: { 201: RulesTemplate },
});

export const getRulesTemplate = operation({
  id: 'get_rules_template',
  method: 'GET',
  path: '/v1/rules-templates/{rules_template_id}',
  tag,
  summary: 'Get a template of rules',
  description: 'With the rules that it gives.',
  credential: 'tenant',
  scope: 'recipes:read',
  params: RulesTemplateParams,
  responses: { 200: RulesTemplate },
});

export const updateRulesTemplate = operation({
  id: 'update_rules_template',
  method: 'PUT',
  path: '/v1/rules-templates/{rules_template_id}',
  tag,
  summary: 'Change a template of rules',
  description: 'Only supplied fields change. Customers who have a copy keep it as it is.',
  credential: 'admin',
  scope: 'recipes:write',
  params: RulesTemplateParams,
  body: RulesTemplateUpdate,
  responses: { 200: RulesTemplate },
});

export const deleteRulesTemplate = operation({
  id: 'delete_rules_template',
  method: 'DELETE',
  path: '/v1/rules-templates/{rules_template_id}',
  tag,
  summary: 'Delete a template of rules',
  description: 'Copies stay. A recipe that still names it has a violation at its next check.',
  credential: 'admin',
  scope: 'recipes:delete',
  params: RulesTemplateParams,
  responses: { 204: null },
});

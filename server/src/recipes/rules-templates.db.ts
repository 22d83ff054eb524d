import type { Static } from 'typebox';
import { PAGE_FITS } from '../platform/db/page-bytes.ts';
import { columnsOf, type RowOf } from '../platform/db/rows.ts';
import { json, NOW, sql } from '../platform/db/sql.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { RulesTemplate, RulesTemplateUpdate } from './rules-templates.contract.ts';

type RulesTemplateRow = RowOf<typeof RulesTemplate>;

const columns = columnsOf(RulesTemplate);

export const listRulesTemplates = (limit: number, offset: number) =>
  sql<RulesTemplateRow & { total: number }>`
    select ${columns}, total from (
      with page as materialized (
        select ${columns}, count(*) over () as total from rules_templates
        order by created_at desc, id limit ${limit} offset ${offset})
      select * from page where ${PAGE_FITS}) listed
    order by created_at desc, id`;

export const findRulesTemplate = (id: string) =>
  sql<RulesTemplateRow>`select ${columns} from rules_templates where id = ${id}`.first();

export const insertRulesTemplate = ({ name, rules }: { name: string; rules: JsonObject }) =>
  sql<RulesTemplateRow>`
    insert into rules_templates (tenant_id, name, rules) values (current_tenant(), ${name}, ${json(rules)})
    returning ${columns}`.one();

const changeable = columnsOf(RulesTemplateUpdate);
const changed = columnsOf(RulesTemplateUpdate, 'changed.');

/** Absent fields stay. undefined: no such template. */
export const updateRulesTemplate = (id: string, changes: Static<typeof RulesTemplateUpdate>) =>
  sql<RulesTemplateRow>`
    update rules_templates t set
      (${changeable}) = (select ${changed} from jsonb_populate_record(t, ${json(changes)}::jsonb) changed),
      updated_at = greatest(t.updated_at, ${NOW})
    where t.id = ${id} returning ${columns}`.first();

/** False: no such template. */
export const deleteRulesTemplate = (id: string) =>
  sql`delete from rules_templates where id = ${id} returning id`.exists();

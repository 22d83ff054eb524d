import type { Static } from 'typebox';
import { digitsOf } from '../conversations/conversation-lists.db.ts';
import { type Query, sql } from '../platform/db/sql.ts';
import type { FoundItem, FoundKind } from './search.contract.ts';

type Found = Static<typeof FoundItem>;
type Find = (words: string) => Query<Found[]>;

/** The most of each kind. */
const MOST = 5;

const findCustomers: Find = (words) =>
  sql<Found>`
    select 'customer' as kind, id, name, case when name <> email then email end as detail
    from customers cross join lateral (select coalesce(nullif(company_name, ''), email, '') as name) n
    where contains_text(${words}, company_name, email)
    order by not starts_with(lower_case(name), lower_case(${words})), lower_case(name), id limit ${MOST}`;

const findPeople: Find = (words) =>
  sql<Found>`
    select 'person' as kind, id, name, coalesce(email, phone, external_id) as detail, customer_id from staff
    where contains_text(${words}, name, email, phone, external_id)
    order by not starts_with(lower_case(name), lower_case(${words})), lower_case(name), id limit ${MOST}`;

const findInstances: Find = (words) =>
  sql<Found>`
    select 'instance' as kind, id, hostname as name, status as detail, customer_id from instances
    where contains_text(${words}, hostname)
    order by status = 'terminated', not starts_with(lower_case(hostname), lower_case(${words})), hostname, id limit ${MOST}`;

const findRecipes: Find = (words) =>
  sql<Found>`
    select 'recipe' as kind, id, name, description as detail from recipes
    where deleted_at is null and contains_text(${words}, name)
    order by not starts_with(lower_case(name), lower_case(${words})), lower_case(name), id limit ${MOST}`;

const findConversations: Find = (words) =>
  sql<Found>`
    select 'conversation' as kind, c.id, coalesce(c.display_name, i.display_name, c.phone, c.external_id) as name,
           case when coalesce(c.display_name, i.display_name) is not null then coalesce(c.phone, c.external_id) end as detail,
           c.customer_id
    from conversations c left join identities i on i.id = c.identity_id
    where c.id in (select conversations_named(${words}, ${digitsOf(words)}))
    order by c.last_message_at desc, c.id limit ${MOST}`;

export const FINDS: Readonly<Record<FoundKind, Find>> = {
  customer: findCustomers,
  person: findPeople,
  instance: findInstances,
  recipe: findRecipes,
  conversation: findConversations,
};

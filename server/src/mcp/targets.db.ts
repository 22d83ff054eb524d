import { fragment, type Query, sql } from '../platform/db/sql.ts';

/** The row that a call is about, for a person. */
export interface Target {
  /** null: the row has no name. */
  name: string | null;
  /** The first few, and the number of all. */
  customers: string[];
  customer_count: number;
}

/** The name of customer `c`. */
const CUSTOMER = 'coalesce(c.company_name, c.email, c.id::text)';
const customer = fragment(CUSTOMER);

const oneCustomer = fragment(`array[${CUSTOMER}] as customers, 1 as customer_count`);

const noCustomer = fragment(`'{}'::text[] as customers, 0 as customer_count`);

/** The first three customers of instance `i`, and their number. */
const customersOfInstance = fragment('w.names[1:3] as customers, cardinality(w.names) as customer_count');
const ofInstance = fragment(`cross join lateral (
  select coalesce(array_agg(${CUSTOMER} order by c.created_at), '{}') as names
  from customers c
  where c.id = i.customer_id or c.id in (
    select d.customer_id from deployments d where d.instance_id = i.id and d.released_at is null)) w`);

/** By path parameter; `what` as in a 404. */
export const TARGETS: Readonly<
  Record<string, { what: string; find: (id: string) => Query<Target | undefined> }>
> = {
  customer_id: {
    what: 'Customer',
    find: (id) =>
      sql<Target>`
        select null as name, ${oneCustomer} from customers c where id = ${id}`.first(),
  },
  instance_id: {
    what: 'Instance',
    find: (id) =>
      sql<Target>`
        select hostname as name, ${customersOfInstance} from instances i ${ofInstance} where i.id = ${id}`.first(),
  },
  task_id: {
    what: 'Task',
    find: (id) =>
      sql<Target>`
        select format('%s of %s', t.kind, hostname) as name, ${customersOfInstance}
        from tasks t join instances i on i.id = t.instance_id ${ofInstance} where t.id = ${id}`.first(),
  },
  deployment_id: {
    what: 'Deployment',
    find: (id) =>
      sql<Target>`
        select i.hostname as name, ${oneCustomer}
        from deployments d join instances i on i.id = d.instance_id join customers c on c.id = d.customer_id
        where d.id = ${id} and d.released_at is null`.first(),
  },
  template_id: {
    what: 'Recipe',
    find: (id) =>
      sql<Target>`
        select name, ${noCustomer} from recipes where id = ${id} and deleted_at is null`.first(),
  },
  invitation_id: {
    what: 'Invitation',
    find: (id) =>
      sql<Target>`
        select email as name, ${noCustomer} from invitations where id = ${id} and accepted_at is null`.first(),
  },
  connection_id: {
    what: 'Connection',
    find: (id) =>
      sql<Target>`
        select concat_ws(' ', provider, name) as name, ${oneCustomer}
        from connections join customers c on c.id = customer_id
        where connections.id = ${id} and revoked_at is null`.first(),
  },
  identity_id: {
    what: 'Identity',
    find: (id) =>
      sql<Target>`
        select concat_ws(' ', channel, external_id, display_name) as name,
               ${oneCustomer}
        from identities join customers c on c.id = customer_id where identities.id = ${id}`.first(),
  },
  person_id: {
    what: 'Staff member',
    find: (id) =>
      sql<Target>`
        select name, ${oneCustomer}
        from staff join customers c on c.id = customer_id where staff.id = ${id}`.first(),
  },
  binding_id: {
    what: 'Binding',
    find: (id) =>
      sql<Target>`
        select concat_ws(' ', channel_type, channel_address) as name,
               ${oneCustomer}
        from staff_bindings b join customers c on c.id = customer_id where b.id = ${id}`.first(),
  },
  shift_id: {
    what: 'Shift',
    find: (id) =>
      sql<Target>`
        select concat_ws(' ', title, site, to_char(starts_at, 'YYYY-MM-DD HH24:MI')) as name,
               ${oneCustomer}
        from shifts s join customers c on c.id = customer_id where s.id = ${id}`.first(),
  },
  assignment_id: {
    what: 'Assignment',
    find: (id) =>
      sql<Target>`
        select concat_ws(' ', title, site, to_char(starts_at, 'YYYY-MM-DD HH24:MI')) as name,
               ${oneCustomer}
        from assignments a join customers c on c.id = customer_id where a.id = ${id}`.first(),
  },
  website_id: {
    what: 'Website',
    find: (id) =>
      sql<Target>`
        select hostname as name, ${oneCustomer}
        from websites w join customers c on c.id = customer_id where w.id = ${id}`.first(),
  },
  endpoint_id: {
    what: 'Channel endpoint',
    find: (id) =>
      sql<Target>`
        select format('%s, answered by %s', phone_number_id, hostname) as name,
               array(select ${customer} from customers c
                     where c.id = coalesce(e.customer_id, i.customer_id)) as customers, 1 as customer_count
        from channel_endpoints e join instances i on i.id = e.instance_id where e.id = ${id}`.first(),
  },
  event_endpoint_id: {
    what: 'Event endpoint',
    find: (id) =>
      sql<Target>`
        select concat_ws(': ', description, array_to_string(events, ', ')) as name, ${noCustomer}
        from event_endpoints where id = ${id}`.first(),
  },
  conversation_id: {
    what: 'Conversation',
    find: (id) =>
      sql<Target>`
        select concat_ws(' ', channel, external_id, v.display_name) as name,
               ${oneCustomer}
        from conversations v join customers c on c.id = customer_id where v.id = ${id}`.first(),
  },
  slug: {
    what: 'Provider',
    find: (slug) =>
      sql<Target>`
        select format('%s at %s', slug, base_url) as name, ${noCustomer} from tenant_llm_providers
        where slug = ${slug}`.first(),
  },
  key: {
    what: 'Requirement',
    find: (key) =>
      sql<Target>`
        select k.key as name, ${noCustomer}
        from (select ${key}::text as key) k where exists (select from requirements r where r.key = k.key)`.first(),
  },
  primitive_id: {
    what: 'Primitive',
    find: (id) =>
      sql<Target>`
        select format('%s %s', kind, slug) as name, ${noCustomer} from primitives where id = ${id}`.first(),
  },
  rules_template_id: {
    what: 'Rules template',
    find: (id) => sql<Target>`select name, ${noCustomer} from rules_templates where id = ${id}`.first(),
  },
  onboarding_flow_id: {
    what: 'Onboarding flow',
    find: (id) => sql<Target>`select name, ${noCustomer} from onboarding_flows where id = ${id}`.first(),
  },
  user_id: {
    what: 'User',
    find: (id) =>
      sql<Target>`
        select email as name, ${noCustomer} from memberships where user_id = ${id}`.first(),
  },
  api_key_id: {
    what: 'API key',
    find: (id) =>
      sql<Target>`
        select name, ${noCustomer} from api_keys where id = ${id}`.first(),
  },
};

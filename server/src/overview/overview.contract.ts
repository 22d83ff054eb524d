import Type, { type Static } from 'typebox';
import type { InstanceStatus } from '../catalogue/hosting.contract.ts';
import { CustomerName } from '../customers/customer-names.contract.ts';
import { NamedObject, named } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import { about, Day, Literals, Nullable, Timestamp, Uuid } from '../platform/contract/shapes.ts';

/** In the order of an answer. */
export const NEED_KINDS = [
  'waiting_conversation',
  'waiting_approval',
  'failed_instance',
  'expired_connection',
  'failed_message',
  'dead_message',
  'submitted_timesheet',
  'expiring_connection',
  'expiring_cert',
] as const;

export type NeedKind = (typeof NEED_KINDS)[number];

export const Need = NamedObject('Need', {
  kind: named('NeedKind', Literals(NEED_KINDS)),
  count: about(Type.Integer(), 'How many cases of the kind there are'),
  since: about(Nullable(Timestamp), 'Since when the most urgent case wants somebody'),
  until: about(
    Nullable(Timestamp),
    'Until when it can be seen to: the end of free text, of a wait or of validity',
  ),
  id: about(
    Uuid,
    'The conversation (also of a failed message), approval, instance, connection, dead message, timesheet, or the person with the certificate',
  ),
  title: about(Type.String(), 'What it is about: a sender, a tool, a hostname, a connection or a person'),
  detail: about(
    Nullable(Type.String()),
    'More of it: an error, a channel, hours or the certificate; never content',
  ),
  instance_id: Nullable(Uuid),
  hostname: Nullable(Type.String()),
  customer_id: Nullable(Uuid),
  customer_name: CustomerName,
});

const Count = Type.Integer();
const counted = (description: string) => about(Type.Optional(Count), description);

const InstanceCounts = NamedObject('InstanceCounts', {
  pending: Count,
  provisioning: Count,
  running: Count,
  stopped: Count,
  failed: Count,
  terminating: Count,
  terminated: Count,
} satisfies Record<InstanceStatus, typeof Count>);

const OverviewMonth = NamedObject('OverviewMonth', {
  from: about(Day, 'The first day of this month, in UTC'),
  cost: about(Nullable(Type.String()), 'US dollars, decimal text; null where no call has a price'),
  limit: about(
    Nullable(Type.Number()),
    'The tenant’s limit of a month at the operator’s providers, in US dollars',
  ),
  calls: about(Count, 'Calls of models that have ended'),
  unpriced_calls: about(Count, 'Those of them that have no price'),
});

export const Overview = NamedObject('TenantOverview', {
  instances: InstanceCounts,
  outdated_instances: about(
    Count,
    'Instances that are not terminated and have an older revision than their recipe',
  ),
  running_tasks: about(Count, 'Tasks that somebody works on'),
  dead_messages: counted('Received messages that were given up'),
  channel_endpoints: counted('Numbers that messages are received for'),
  failed_messages: counted('Messages that could not be sent'),
  human_conversations: counted('Conversations that a person has'),
  waiting_conversations: counted('Those of them with a message that nobody answered'),
  conversations: counted('All conversations'),
  submitted_timesheets: counted('Timesheets that wait for a decision'),
  expiring_certs: counted('Certificates of staff that end within 42 days'),
  expiring_connections: counted('Connections that end within 42 days'),
  expired_connections: counted('Connections that have ended, or that the other side refuses'),
  waiting_approvals: counted('Calls of tools that wait for a person'),
  customers: counted('Customers'),
  recipes: counted('The tenant’s own recipes'),
  month: Type.Optional(OverviewMonth),
  needs: about(
    Type.Array(Need),
    'The most urgent case of each kind that there is, in the order of the kinds',
  ),
});

export type Counts = Omit<Static<typeof Overview>, 'needs'>;

export const getOverview = operation({
  id: 'get_overview',
  method: 'GET',
  path: '/v1/overview',
  tag: 'Overview',
  summary: 'Show what wants a person, and what there is',
  description:
    'Parts that the caller’s role or scopes may not read are left out. The answer may be 5 seconds old, but not older than a change ' +
    'that `/v1/live` hints at.',
  credential: 'tenant',
  scope: 'instances:read',
  responses: { 200: Overview },
});

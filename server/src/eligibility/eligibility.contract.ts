import Type, { type Static } from 'typebox';
import { protectedBy } from '../pins/pin-gate.contract.ts';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  CustomerParams,
  DayOrTime,
  InstanceParams,
  Int,
  Literals,
  Nullable,
  query,
  Text,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';
import { introducedOnly, senderInQuery } from '../workforce/staff.contract.ts';
import { EligibilityReason, Eligible } from '../workforce/work-check.contract.ts';
import { me, path as workerPath } from '../workforce/workers.contract.ts';
import { DEMAND_KINDS, DemandAlternative, RequestedDemands } from './demands.contract.ts';

const tag = 'Eligibility';

const MOST_PEOPLE = 200;

const SHOWS = ['all', 'eligible', 'ineligible'] as const;
export type Show = (typeof SHOWS)[number];

/** In this order. */
const WARNINGS = ['site_unknown', 'job_unknown', 'type_unknown', 'no_demands', 'past'] as const;
export type Warning = (typeof WARNINGS)[number];

const Moment = (words: string) => about(Type.Optional(Nullable(DayOrTime)), words);

/** Where, for what and when. */
const Place = {
  site: about(Type.Optional(Nullable(Text(200))), 'The place of the work'),
  job_id: about(Type.Optional(Nullable(Text(200))), 'The job, in an id of your own'),
  title: about(Type.Optional(Nullable(Text(200))), 'The title of the work'),
  from: Moment('A day of the customer, or a time; today where nothing is said'),
  to: Moment('A day, which is included, or a time; the day of `from` where nothing is said. At most 31 days'),
};

const EligibilityRequest = NamedObject('EligibilityRequest', {
  ...Place,
  demands: about(Type.Optional(RequestedDemands), 'Beside those of the requirements that count'),
  person_ids: about(
    Type.Optional(Type.Array(Uuid, { maxItems: MOST_PEOPLE })),
    'These people alone; everybody where nothing is said',
  ),
  show: about(Literals(SHOWS, { default: 'all' }), 'Which people of the answer'),
  page: about(Int({ minimum: 1, default: 1 }), 'Which page, from 1'),
  per_page: about(Int({ minimum: 1, maximum: MOST_PEOPLE, default: 50 }), 'People of a page'),
});

const CountedDemand = NamedObject('CountedDemand', {
  id: about(Type.String(), 'What the reasons call it'),
  kind: about(Literals([...DEMAND_KINDS, 'any_of']), 'What is demanded'),
  value: DemandAlternative.properties.value,
  source: about(Type.String(), 'The requirement’s key, or `request`'),
  any_of: about(Type.Optional(Type.Array(DemandAlternative)), 'Of which one is enough'),
});

const EligiblePerson = NamedObject('EligiblePerson', {
  person_id: Uuid,
  name: Type.String(),
  eligible: Eligible,
  reasons: about(
    Type.Array(EligibilityReason),
    'All of them: the status first, then in the order of `demands`',
  ),
  eligible_until: about(
    Nullable(Timestamp),
    'When the first of the records that count ends; null without an end, and where not eligible',
  ),
  unblocks_at: about(
    Nullable(Timestamp),
    'The first moment from which the records as they are meet every demand; null where time alone does not help',
  ),
});

export const Eligibility = NamedObject('EligibilityAnswer', {
  from: about(Timestamp, 'The first moment of the time that was asked'),
  to: about(Timestamp, 'The moment at which it ends'),
  timezone: about(Type.String(), 'Of the customer, in which days count'),
  evaluated_at: about(Timestamp, 'When it was computed'),
  demands: about(Type.Array(CountedDemand), 'All that count, by requirement, then those of the request'),
  totals: about(
    NamedObject('EligibilityTotals', {
      eligible: Type.Integer(),
      ineligible: Type.Integer(),
      unknown: Type.Integer(),
    }),
    'People, whatever is shown',
  ),
  people: about(Type.Array(EligiblePerson), 'Those of the page: who is eligible first, then by name'),
  warnings: about(Type.Array(Literals(WARNINGS)), 'What of the question is doubtful'),
  page: Type.Integer(),
  per_page: Type.Integer(),
  total: about(Type.Integer(), 'People of all pages'),
});
export type Eligibility = Static<typeof Eligibility>;

/** Reading, though the question needs a body. */
const asked = { load: 'eligibility', changesNothing: true, failures: [409, 429, 503] } as const;
const rule =
  'Computed now from the records, never stored. Every demand has to be met for the whole time, and every reason is told.';

export const explainEligibility = operation({
  ...asked,
  id: 'explain_eligibility',
  method: 'POST',
  path: '/v1/customers/{customer_id}/eligibility',
  tag,
  summary: 'List who of a customer’s staff may work at a place and time, and why not',
  description: rule,
  credential: 'admin',
  scope: 'staff:read',
  params: CustomerParams,
  body: EligibilityRequest,
  responses: { 200: Eligibility },
  mcp: { readOnly: true, brief: true, says: 'Who of the staff may work where and when, and why not.' },
});

export const askEligibility = operation({
  ...asked,
  ...senderInQuery,
  ...protectedBy('staff_query', 'eligibility'),
  id: 'ask_eligibility',
  method: 'POST',
  path: '/internal/v1/instances/{instance_id}/eligibility',
  tag,
  summary: 'List who of a customer’s staff may work at a place and time, for a runtime',
  description: `${rule} ${introducedOnly}`,
  credential: 'instance',
  scope: null,
  params: InstanceParams,
  query: query({ customer_id: Uuid }),
  body: EligibilityRequest,
  responses: { 200: Eligibility },
});

export const getMyEligibility = operation({
  ...me,
  ...asked,
  ...protectedBy('worker_*', 'timesheet', 'eligibility'),
  id: 'get_my_eligibility',
  method: 'GET',
  path: `${workerPath}/me/eligibility`,
  summary: 'Say whether a worker may work at a place and time',
  description: 'With the worker as the one person of the answer.',
  query: query({ ...me.query.properties, ...Place }),
  responses: { 200: Eligibility },
  failures: [403, 409, 429, 503],
});

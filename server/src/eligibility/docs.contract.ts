import type { FieldDocs } from '../platform/contract/wording.ts';

const PERSON = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a08';
const REASON = {
  code: 'certification_expired',
  demand_id: 'pier-4/1',
  value: 'crane',
  since: '2026-11-20T00:00:00.000Z',
  until: null,
  message: 'The certification crane is valid only to 2026-11-19',
  remedy: 'Record a certification crane that covers the whole time',
};

const DEMAND = { kind: 'certification', value: 'crane' };

const QUESTIONS = ['explain_eligibility', 'ask_eligibility', 'get_my_eligibility'];

const examplesOf = (operations: readonly string[], field: string, example: unknown) =>
  Object.fromEntries(operations.map((id) => [`${id}.${field}`, example]));

export const eligibilityDocs: FieldDocs = {
  texts: {
    'Requirement.key': 'The name of the requirement',
    demands: 'What is demanded; all of it has to be met',
    totals: 'People, whatever is shown',
    eligible: 'People who may',
    ineligible: 'People who may not',
    unknown: 'People of whom nothing is demanded',
    reasons: 'Why not, every reason',
    eligibility: 'Whether the person may do this work, where `check` asked for it',
    'Requirement.site': 'The place that it counts for; null for every place',
    'Requirement.job_id': 'The job that it counts for; null for every job',
    'Requirement.title': 'The title of work that it counts for; null for every title',
  },
  examples: {
    'Eligibility.key': 'pier-4',
    'Eligibility.site': 'Pier 4',
    'Eligibility.title': 'Crane shift',
    'Eligibility.job_id': 'J-104',
    ...examplesOf(['put_requirement', 'get_requirement', 'list_requirements'], 'demands', [DEMAND]),
    'demands.id': 'pier-4/1',
    'demands.kind': DEMAND.kind,
    'demands.value': DEMAND.value,
    'demands.source': 'pier-4',
    'demands.any_of': [],
    ...examplesOf(QUESTIONS, 'from', '2026-11-27T13:00:00.000Z'),
    ...examplesOf(QUESTIONS, 'to', '2026-11-28T13:00:00.000Z'),
    ...examplesOf(QUESTIONS, 'warnings', []),
    evaluated_at: '2026-11-27T09:00:00.000Z',
    totals: { eligible: 1, ineligible: 1, unknown: 0 },
    eligible: true,
    eligible_until: null,
    unblocks_at: null,
    person_ids: [PERSON],
    reasons: [REASON],
    check: 'require',
  },
};

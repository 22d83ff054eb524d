import Type, { type Static } from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { about, Literals, Nullable, Timestamp } from '../platform/contract/shapes.ts';

const ofTerm = (kind: 'certification' | 'induction') =>
  (['missing', 'expired', 'expires_during', 'not_yet_valid'] as const).map(
    (what) => `${kind}_${what}` as const,
  );

const CODES = [
  'status_not_active',
  'skill_missing',
  'tier_too_low',
  'role_not_allowed',
  ...ofTerm('certification'),
  ...ofTerm('induction'),
  'not_on_shift',
  'on_shift_elsewhere',
  'not_assigned',
  'assigned_elsewhere',
  'none_of',
] as const;
export type ReasonCode = (typeof CODES)[number];

const Reason = {
  code: about(Literals(CODES), 'Why, as a word'),
  demand_id: about(Nullable(Type.String()), 'Which of `demands` is not met; null for the status'),
  value: about(
    Type.Unsafe<string | number | null>({ type: ['string', 'integer', 'null'] }),
    'The value of the demand; of the status the status, but not to runtimes',
  ),
  since: about(Nullable(Timestamp), 'Since when; null where no record tells'),
  until: about(Nullable(Timestamp), 'When it ends by itself; null where it does not'),
  message: about(Type.String(), 'Why, in words'),
  remedy: about(Type.String(), 'Words for the change that makes this reason go'),
};

const AlternativeReason = NamedObject('EligibilityAlternative', Reason);

/** Why a person is not eligible (contract, section 25). */
export const EligibilityReason = NamedObject('EligibilityReason', {
  ...Reason,
  alternatives: about(
    Type.Optional(Type.Array(AlternativeReason)),
    'Of none_of: why each of its demands is not met',
  ),
});
export type EligibilityReason = Static<typeof EligibilityReason>;

export const Eligible = about(
  Nullable(Type.Boolean()),
  'null where nothing is demanded, so nobody can be called eligible',
);

export const WorkEligibility = NamedObject('WorkEligibility', {
  eligible: Eligible,
  reasons: Type.Array(EligibilityReason),
});
export type WorkEligibility = Static<typeof WorkEligibility>;

const CHECKS = ['none', 'report', 'require'] as const;
export type Check = (typeof CHECKS)[number];

/** In the body of a request about a shift or an assignment. */
export const CheckField = {
  check: about(
    Literals(CHECKS, { default: 'none' }),
    'Whether the person may do the work: `report` tells it in the answer, `require` refuses what is not eligible (409)',
  ),
};

/** In its answer. */
export const Checked = { eligibility: Type.Optional(WorkEligibility) };

const NotEligible = NamedObject('NotEligible', {
  detail: Type.String(),
  reasons: Type.Optional(Type.Array(EligibilityReason)),
});

/** The 409 of `require` names the reasons. */
export const mayRefuse = { failures: [409], failureShapes: { 409: NotEligible } } as const;

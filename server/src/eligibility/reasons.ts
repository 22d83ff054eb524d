import type { EligibilityReason } from '../workforce/work-check.contract.ts';
import type { Gap } from './judge.ts';
import type { ZoneClock } from './zone-clock.ts';

/** The reader of the reasons: a runtime is told of a status no more than that it is not active. */
export interface Reader {
  clock: ZoneClock;
  isRuntime: boolean;
}

interface Words {
  message: string;
  remedy: string;
}

export function toReason(gap: Gap, demand_id: string | null, reader: Reader): EligibilityReason {
  const { code, value, since, until, alternatives } = gap;
  const isHidden = code === 'status_not_active' && reader.isRuntime;
  return {
    code,
    demand_id,
    value: isHidden ? null : value,
    since: wire(since),
    until: wire(until),
    ...wordsOf(gap, reader),
    ...(alternatives && { alternatives: alternatives.map((one) => toReason(one, demand_id, reader)) }),
  };
}

export const wire = (moment: number | null) => (moment === null ? null : new Date(moment).toISOString());

function wordsOf(gap: Gap, reader: Reader): Words {
  const { value, alternatives = [] } = gap;
  switch (gap.code) {
    case 'status_not_active':
      return reader.isRuntime
        ? { message: 'The person is not available for work', remedy: 'Ask whoever keeps the staff list' }
        : { message: `The status is ${value}, not active`, remedy: 'Set the status to active' };
    case 'skill_missing':
      return { message: `The skill ${value} is not on record`, remedy: `Record the skill ${value}` };
    case 'tier_too_low':
      return { message: `The tier is below ${value}`, remedy: `Raise the tier to ${value} at least` };
    case 'role_not_allowed':
      return { message: `The role is not ${value}`, remedy: `Choose somebody whose role is ${value}` };
    case 'not_on_shift':
      return { message: 'There is no shift there at that time', remedy: 'Give the person a shift there' };
    case 'on_shift_elsewhere':
      return { message: 'The shift at that time is elsewhere', remedy: 'Give the person a shift there' };
    case 'not_assigned':
      return { message: 'There is no assignment there at that time', remedy: 'Assign the person there' };
    case 'assigned_elsewhere':
      return { message: 'The assignment at that time is elsewhere', remedy: 'Assign the person there' };
    case 'none_of':
      return {
        message: `None of these is met: ${alternatives.map((one) => wordsOf(one, reader).message).join('; ')}`,
        remedy: `Any of these: ${alternatives.map((one) => wordsOf(one, reader).remedy).join('; ')}`,
      };
    default:
      return wordsOfTerm(gap, reader);
  }
}

function wordsOfTerm({ code, value, since, until, isUnreadable }: Gap, { clock }: Reader): Words {
  const [kind = '', ...rest] = code.split('_');
  const what = `${kind} ${value}`;
  const renewal = `Record a ${what} that covers the whole time`;
  if (isUnreadable) {
    const bound = rest[0] === 'expired' ? 'end' : 'beginning';
    return {
      message: `The ${bound} of the ${what} cannot be read`,
      remedy: `Correct the ${bound} of the ${what}`,
    };
  }
  switch (rest.join('_')) {
    case 'missing':
      return { message: `There is no ${what}`, remedy: renewal };
    case 'not_yet_valid':
      return { message: `The ${what} is valid only from ${clock.startInWords(until ?? 0)}`, remedy: renewal };
    case 'expires_during':
      return {
        message: `The ${what} is valid only to ${clock.endInWords(since ?? 0)}, within the time`,
        remedy: renewal,
      };
    default:
      return { message: `The ${what} is valid only to ${clock.endInWords(since ?? 0)}`, remedy: renewal };
  }
}

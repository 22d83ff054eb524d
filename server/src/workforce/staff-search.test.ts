import { expect, it } from 'vitest';
import { toSearchTerms } from './staff-search.ts';

const skill = (value: string) => ({ kind: 'skill', value });

it('splits skills at commas and leaves other text alone', () => {
  expect(toSearchTerms({})).toEqual([]);
  expect(toSearchTerms({ skills: ' , ,' })).toEqual([]);
  expect(toSearchTerms({ skills: 'First Aid, forklift' })).toEqual([skill('First Aid'), skill('forklift')]);
  expect(
    toSearchTerms({ skills: 'a', cert_type: 'A, B', induction_site: 'a', status: 'active', tier: 3 }),
  ).toEqual([
    skill('a'),
    { kind: 'certification', value: 'A, B' },
    { kind: 'induction', value: 'a' },
    { kind: 'status', value: 'active' },
    { kind: 'tier', value: '3' },
  ]);
});

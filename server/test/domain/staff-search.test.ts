import { expect, it } from 'vitest';
import { termsOf } from '../../src/domain/staff-search.ts';

const skill = (value: string) => ({ kind: 'skill', value });

it('takes skills apart, each once, and leaves other text alone', () => {
  expect(termsOf({})).toEqual([]);
  expect(termsOf({ skills: ' , ,' })).toEqual([]);
  expect(termsOf({ skills: 'First Aid, forklift,FORKLIFT' })).toEqual([
    skill('first aid'),
    skill('forklift'),
  ]);
  expect(termsOf({ skills: 'a', cert_type: 'A, B', induction_site: 'a' })).toEqual([
    skill('a'),
    { kind: 'certification', value: 'A, B' },
    { kind: 'induction', value: 'a' },
  ]);
});

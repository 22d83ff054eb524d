import { expect, it } from 'vitest';
import { certificateName, daysLeftWords } from '../../src/rules/certificates.ts';

it('names a certificate by its name, else by its type', () => {
  expect(certificateName({ name: 'High risk licence', type: 'hrl' })).toBe('High risk licence');
  expect(certificateName({ type: 'crane_ticket' })).toBe('Crane ticket');
  expect(certificateName({ number: 7 })).toBe('Certificate without a name');
});

it('says how many days are left', () => {
  expect([0, 1, 9].map(daysLeftWords)).toEqual(['today', 'tomorrow', 'in 9 days']);
});

import { expect, it } from 'vitest';
import { hostnameOf } from '../../src/rules/first-run.ts';

it.each([
  ['My company', 'crew.my-company.example'],
  ['Müller & Söhne GmbH', 'crew.muller-sohne-gmbh.example'],
  ['شركة', 'crew.my-company.example'],
  ['a'.repeat(100), `crew.${'a'.repeat(40)}.example`],
])('names the agent of %s', (company, hostname) => {
  expect(hostnameOf('crew', company)).toBe(hostname);
});

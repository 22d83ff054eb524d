import { readStaffCsv } from '@agent-control-plane/sdk/files';
import { expect, it } from 'vitest';
import { firstToEnd, proofOf, readProof } from '../../src/rules/certificates.ts';
import { faultsCsv, faultsIn, inCalls, STAFF_EXAMPLE, staffCsv } from '../../src/rules/staff-csv.ts';

const read = (text: string) => readStaffCsv(new TextEncoder().encode(text));

it('reads its own example whole', () => {
  expect(read(STAFF_EXAMPLE)).toMatchObject({
    columns: expect.not.arrayContaining([undefined]),
    rows: [{ value: { name: 'Ana Silva', skills: ['forklift', 'crane'], tier: 2 }, fault: undefined }],
  });
});

it('reads again what it wrote of people', () => {
  const person = {
    name: 'Ana Silva',
    email: null,
    phone: '+61 400 000 001',
    role: 'employee',
    skills: ['forklift', 'first aid'],
    certifications: [{ type: 'crane', expires_at: '2027-01-01' }, 'driver'],
    inductions: [{ site: 'Pier 4', expires_at: null }],
    tier: 2,
    availability_notes: '- none\non "Mondays", though',
    external_id: 'A-17',
  } as const;
  const file = read(staffCsv([{ ...person, skills: [...person.skills] }]));
  expect(file.rows.map(({ value }) => value)).toEqual([
    {
      name: 'Ana Silva',
      phone: '+61 400 000 001',
      role: 'employee',
      skills: ['forklift', 'first aid'],
      certifications: ['crane:2027-01-01', 'driver'],
      inductions: ['Pier 4'],
      tier: 2,
      availability_notes: '- none\non "Mondays", though',
      external_id: 'A-17',
    },
  ]);
});

it('gives back the rows that were not taken', () => {
  const file = read('Name,External ID,Tier\nAna,A-1,2\nBen,A-1,x\n');
  const faults = [...faultsIn(file), { row: 1, words: 'tier: no number' }];
  expect(faultsCsv(file, faults)).toBe(
    'name,external_id,tier,fault\r\nBen,A-1,x,external_id: an earlier row has it; tier: no number',
  );
});

it('asks for at most 200 rows a call', () => {
  expect(inCalls(Array.from({ length: 450 }, (_, at) => at)).map(({ length }) => length)).toEqual([
    200, 200, 50,
  ]);
});

it('keeps what it does not know of a certificate', () => {
  const stored = { type: 'crane', expires_at: '2026-12-18T22:00:00Z', issuer: 'TÜV' };
  const proof = readProof('type', stored);
  expect(proofOf('type', proof)).toEqual(stored);
  expect(proofOf('type', { ...proof, ends: '2027-12-18' })).toEqual({ ...stored, expires_at: '2027-12-18' });
  expect(proofOf('type', { name: 'first_aid', ends: '' })).toBe('first_aid');
  expect(firstToEnd(['driver', { type: 'b', expires_at: '2027-01-01' }, stored])?.name).toBe('crane');
});

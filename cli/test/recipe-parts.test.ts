import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS_TOKEN } from '../../server/test/support/service.ts';
import type { Workplace } from './support/agentctl.ts';
import { type CliBench, startCliBench } from './support/service.ts';

let bench: CliBench;
let work: Workplace;
beforeAll(async () => {
  bench = await startCliBench();
  ({ work } = bench);
});
afterAll(() => bench.stop());

describe.each([
  ['rules-templates', 'rules: {instructions: [Be brief]}', / Night +instructions +20/],
  ['onboarding-flows', 'steps: [{text: Your name?, save_as: name}]', / Night +1 +20/],
])('%s', (noun, fields, row) => {
  it('are created and changed by their name, shown and removed', async () => {
    const apply = (name: string) => work.given(`name: ${name}\n${fields}\n`, noun, 'apply', '-f', '-');
    expect((await apply('Night')).stdout).toMatch(/^created: Night \(\S+\)\n$/);
    expect((await apply('Night')).stdout).toMatch(/^updated: Night \(\S+\)\n$/);
    expect((await apply('Day')).stdout).toMatch(/^created: /);
    expect((await work.run(noun, 'list')).stdout).toMatch(row);
    expect(await work.json(noun, 'show', 'Night')).toMatchObject({ name: 'Night' });
    expect((await work.given('name: x\n', noun, 'apply', '-f', '-')).code).toBe(2);
    expect(await work.run(noun, 'remove', 'Night')).toMatchObject({ code: 0, stdout: '' });
    expect((await work.run(noun, 'show', 'Night')).code).toBe(4);
  });
});

describe('manifests', () => {
  it('are listed, and written by the operator alone', async () => {
    const file =
      'name: Own\ncommand: [node, agent.js]\ncapabilities: {fields: [], skills: [], channels: []}\n';
    const put = (place: Workplace) => place.given(file, 'manifests', 'put', 'own', '-f', '-');
    expect((await put(work)).code).toBe(3);
    const operator = work.with({ ACP_OPERATIONS_TOKEN: OPERATIONS_TOKEN });
    expect(await put(operator)).toMatchObject({ code: 0, stdout: 'Own is manifest own\n' });
    const listed = await work.run('manifests', 'list');
    expect(listed.stdout).toMatch(/^reference +.* active +staff_query, /m);
    expect(listed.stdout).toMatch(/^own +Own +active/m);
  });
});

import { expect, it } from 'vitest';
import { permissionChanges } from '../../src/rules/permission-changes.ts';

it('says in sentences what an agent may do anew and no longer, the gains first', () => {
  const before = {
    skills: ['staff_query', { slug: 'timesheet', pin_required: true }],
    mcp_servers: [{ name: 'crm', url: 'https://crm.example/mcp' }],
    approval_rules: { require: [{ tool: 'crm__book', by: 'person' }] },
  };
  const after = {
    skills: [{ slug: 'timesheet' }],
    mcp_servers: [{ name: 'crm', url: 'https://other.example/mcp', provider: 'crm' }],
    approval_rules: { require: [{ tool: 'crm__cancel', by: 'pin' }] },
    model_policy: { model: 'gpt-5-mini' },
  };
  expect(permissionChanges(before, after)).toEqual([
    { is: 'more', words: 'timesheet no longer asks for a PIN.' },
    { is: 'more', words: 'crm is at other.example, and no longer at crm.example.' },
    { is: 'more', words: 'It gets the customer’s credentials of crm.' },
    { is: 'more', words: 'It calls crm__book without asking.' },
    { is: 'less', words: 'It loses the skill staff_query.' },
    { is: 'less', words: 'crm__cancel waits for a PIN first.' },
    { is: 'other', words: 'It answers with gpt-5-mini.' },
  ]);
});

it('says nothing of what stays', () => {
  const config = { skills: ['staff_query'], system_prompt: 'Answer.' };
  expect(permissionChanges(config, { ...config, system_prompt: 'Answer briefly.' })).toEqual([]);
});

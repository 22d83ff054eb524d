import { create_api_key as facts } from '@agent-control-plane/fields';
import type { ApiKeyWithSecret } from '@agent-control-plane/sdk';
import { useState } from 'react';
import { useWrite } from '../queries.ts';
import { boundsOf } from '../rules/bounds.ts';
import { shortened } from '../rules/scopes.ts';
import { type Choice, Pair, SelectField, TextField } from '../ui/field.tsx';
import { textOf } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { ScopeTable } from './scope-table.tsx';

const DAY_MS = 86_400_000;

const ENDS: readonly Choice[] = [
  ['30', 'in 30 days'],
  ['90', 'in 90 days'],
  ['365', 'in a year'],
  ['', 'never'],
];

const REACH: readonly Choice[] = [
  ['some', 'What is chosen below'],
  ['all', 'Everything that its role may do'],
];

const ROLES: readonly Choice[] = [
  ['member', 'Member'],
  ['admin', 'Admin'],
];

const isRole = (text: string): text is 'admin' | 'member' => text === 'admin' || text === 'member';

interface Props {
  onMade: (key: ApiKeyWithSecret) => void;
  onClose: () => void;
}

export function ApiKeyCreateForm({ onMade, onClose }: Props) {
  const create = useWrite('create_api_key');
  const [reach, setReach] = useState('some');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const save = async (values: FormData) => {
    const [role, days] = [textOf(values, 'role'), textOf(values, 'days')];
    const key = await create.run({
      body: {
        name: textOf(values, 'name'),
        scopes: reach === 'all' ? ['*'] : [...shortened(chosen)],
        ...(isRole(role) && { role }),
        rate_limit: {
          limit: Number(textOf(values, 'rate_limit.limit')),
          window_seconds: Number(textOf(values, 'rate_limit.window_seconds')),
        },
        expires_at: days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
      },
    });
    onMade(key);
  };
  return (
    <FormDialog title="New API key" action="Make the key" onSave={save} onClose={onClose} wide>
      <Pair>
        <TextField
          name="name"
          label="Name"
          hint="The program that uses it; audits name it so"
          {...boundsOf(facts.name)}
        />
        <SelectField name="days" label="Ends" choices={ENDS} defaultValue="90" />
        <SelectField name="role" label="Role" hint="Some operations are for admins alone" choices={ROLES} />
        <SelectField
          name="reach"
          label="May do"
          value={reach}
          choices={REACH}
          onChange={({ target }) => setReach(target.value)}
        />
        <TextField
          name="rate_limit.limit"
          label="Requests"
          type="number"
          min={1}
          defaultValue={600}
          required
        />
        <TextField
          name="rate_limit.window_seconds"
          label="in so many seconds"
          type="number"
          min={1}
          defaultValue={60}
          required
        />
      </Pair>
      {reach === 'some' && <ScopeTable chosen={chosen} onChoose={setChosen} />}
    </FormDialog>
  );
}

import { update_tenant as facts } from '@agent-control-plane/fields';
import type { Tenant } from '@agent-control-plane/sdk';
import { Link } from '@tanstack/react-router';
import { useOperatorWrite } from '../operator.ts';
import { boundsOf } from '../rules/bounds.ts';
import { money } from '../rules/money.ts';
import { visible } from '../rules/visible-text.ts';
import { count } from '../rules/words.ts';
import { Confirm } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { textOf } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Signed } from '../ui/status.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { say } from '../ui/toast.tsx';

export interface TenantAct {
  tenant: Tenant;
  does: 'limits' | 'link' | 'rename' | 'switch';
}

export const tenantColumns = (onAct: (act: TenantAct) => void): readonly Column<Tenant>[] => [
  {
    name: 'Tenant',
    cell: ({ tenant_id, name }) => (
      <Link to="/operator/instances" search={{ tenant: tenant_id }} title="Its agents">
        {visible(name)}
      </Link>
    ),
  },
  {
    name: 'State',
    cell: ({ is_active }) =>
      is_active ? (
        <Signed sign={{ word: 'on', shape: 'disc', tone: 'good' }} />
      ) : (
        <Signed sign={{ word: 'off', shape: 'square', tone: 'off' }} />
      ),
  },
  { name: 'Agents', end: true, cell: ({ instances }) => count(instances) },
  { name: 'Customers', end: true, priority: 2, cell: ({ customers }) => count(customers) },
  { name: 'Users', end: true, priority: 2, cell: ({ users }) => count(users) },
  { name: 'Cost this month', end: true, priority: 2, cell: ({ month_cost }) => money(month_cost) },
  { name: 'Since', end: true, priority: 3, cell: ({ created_at }) => <Time at={created_at} as="when" /> },
  {
    name: '',
    end: true,
    cell: (tenant) => (
      <Menu label={`Actions for ${visible(tenant.name)}`}>
        <MenuItem onSelect={() => onAct({ tenant, does: 'limits' })}>Limits…</MenuItem>
        <MenuItem onSelect={() => onAct({ tenant, does: 'link' })}>Let a user in…</MenuItem>
        <MenuItem onSelect={() => onAct({ tenant, does: 'rename' })}>Rename…</MenuItem>
        <MenuItem bad={tenant.is_active} onSelect={() => onAct({ tenant, does: 'switch' })}>
          {tenant.is_active ? 'Switch off…' : 'Switch on…'}
        </MenuItem>
      </Menu>
    ),
  },
];

export function TenantRename({ of: { tenant_id, name }, onClose }: { of: Tenant; onClose: () => void }) {
  const update = useOperatorWrite('update_tenant');
  const save = async (values: FormData) => {
    await update.run({ path: { tenant_id }, body: { name: textOf(values, 'name') } });
    say('The name is changed.');
    onClose();
  };
  return (
    <FormDialog title={`Rename ${visible(name)}`} action="Rename" onSave={save} onClose={onClose}>
      <TextField name="name" label="Name" defaultValue={name} {...boundsOf(facts.name)} required />
    </FormDialog>
  );
}

export function TenantSwitch({ of, onClose }: { of: Tenant; onClose: () => void }) {
  const { tenant_id, name, is_active } = of;
  const update = useOperatorWrite('update_tenant', {
    done: () => say(is_active ? `${name} is off.` : `${name} is on again.`),
  });
  return (
    <Confirm
      title={`Switch ${visible(name)} ${is_active ? 'off' : 'on'}?`}
      action={is_active ? 'Switch off' : 'Switch on'}
      phrase={is_active ? name : undefined}
      run={() => update.run({ path: { tenant_id }, body: { is_active: !is_active } })}
      onClose={onClose}
    >
      {is_active
        ? 'Its logins and keys are refused at once, its agents’ runtimes are stopped, and messages to it wait. Nothing is deleted, and it can be switched on again.'
        : 'Its logins and keys work again, its agents’ runtimes start, and the messages that waited are delivered.'}
    </Confirm>
  );
}

import { create_tenant as facts } from '@agent-control-plane/fields';
import type { CreatedTenant } from '@agent-control-plane/sdk';
import { useOperatorWrite } from '../operator.ts';
import { boundsOf } from '../rules/bounds.ts';
import { TextField } from '../ui/field.tsx';
import { textOf, textOrNull } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';

interface Props {
  onMade: (tenant: CreatedTenant, name: string) => void;
  onClose: () => void;
}

export function TenantCreateForm({ onMade, onClose }: Props) {
  const create = useOperatorWrite('create_tenant');
  const save = async (values: FormData) => {
    const [name, admin_password] = [textOf(values, 'name'), textOrNull(values, 'admin_password')];
    const body = {
      name,
      admin_email: textOf(values, 'admin_email'),
      ...(admin_password && { admin_password }),
    };
    onMade(await create.run({ body }), name);
  };
  return (
    <FormDialog title="New tenant" action="Make the tenant" onSave={save} onClose={onClose}>
      <TextField name="name" label="Name" {...boundsOf(facts.name)} />
      <TextField
        name="admin_email"
        label="E-mail of its first admin"
        type="email"
        {...boundsOf(facts.admin_email)}
      />
      <TextField
        name="admin_password"
        label="Password"
        type="password"
        autoComplete="new-password"
        optional
        hint="Without one you get a link by which the admin chooses a password"
        {...boundsOf(facts.admin_password)}
      />
    </FormDialog>
  );
}

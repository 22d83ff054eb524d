import { create_invitation as facts } from '@agent-control-plane/fields';
import type { Invitation } from '@agent-control-plane/sdk';
import { useWrite } from '../queries.ts';
import { boundsOf } from '../rules/bounds.ts';
import { type Choice, SelectField, TextField } from '../ui/field.tsx';
import { textOf } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';

const ROLES: readonly Choice[] = [
  ['member', 'Member: reads, and answers people'],
  ['admin', 'Admin: everything'],
];

interface Props {
  onMade: (invitation: Invitation, email: string) => void;
  onClose: () => void;
}

export function InvitationCreateForm({ onMade, onClose }: Props) {
  const invite = useWrite('create_invitation');
  const save = async (values: FormData) => {
    const email = textOf(values, 'email');
    const role = textOf(values, 'role') === 'admin' ? 'admin' : 'member';
    onMade(await invite.run({ body: { email, role } }), email);
  };
  return (
    <FormDialog title="Invite a person" action="Make the link" onSave={save} onClose={onClose}>
      <TextField name="email" label="E-mail" type="email" {...boundsOf(facts.email)} />
      <SelectField name="role" label="Role" choices={ROLES} />
      <p className="hint">You get a link to hand on: the service sends no mail.</p>
    </FormDialog>
  );
}

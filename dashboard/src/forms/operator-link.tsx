import type { Tenant } from '@agent-control-plane/sdk';
import { useOperatorWrite } from '../operator.ts';
import { passwordResetLink } from '../rules/links.ts';
import { visible } from '../rules/visible-text.ts';
import { type Choice, SelectField, TextField } from '../ui/field.tsx';
import { textOf } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';

export interface UserLink {
  url: string;
  expires_at: string;
}

const KINDS: readonly Choice[] = [
  ['sign-in', 'Sign in once, within 15 minutes'],
  ['password', 'Choose a new password, within a day'],
];

interface Props {
  of: Pick<Tenant, 'tenant_id' | 'name'>;
  /** Known of a tenant that was made just now. */
  user_id?: string | undefined;
  onMade: (link: UserLink) => void;
  onClose: () => void;
}

/** For who is locked out, or comes for the first time. */
export function OperatorLinkForm({ of: { tenant_id, name }, user_id, onMade, onClose }: Props) {
  const signIn = useOperatorWrite('create_sign_in_link');
  const reset = useOperatorWrite('create_operator_password_reset');
  const save = async (values: FormData) => {
    const path = { tenant_id, user_id: textOf(values, 'user_id').trim() };
    if (textOf(values, 'kind') === 'sign-in') onMade(await signIn.run({ path }));
    else {
      const { reset_token, expires_at } = await reset.run({ path });
      onMade({ url: passwordResetLink(location.origin, reset_token), expires_at });
    }
  };
  return (
    <FormDialog
      title={`A link for a user of ${visible(name)}`}
      action="Make the link"
      onSave={save}
      onClose={onClose}
    >
      <TextField
        name="user_id"
        label="Id of the user"
        hint="An admin of the tenant reads it from: agentctl users list"
        mono
        required
        defaultValue={user_id}
      />
      <SelectField name="kind" label="With it the user may" choices={KINDS} />
    </FormDialog>
  );
}

import { create_identity as facts } from '@agent-control-plane/fields';
import type { Identity } from '@agent-control-plane/sdk';
import { useWrite } from '../queries.ts';
import { boundsOf } from '../rules/bounds.ts';
import { changed } from '../rules/changes.ts';
import { visible } from '../rules/visible-text.ts';
import { sentence } from '../rules/words.ts';
import { Check, Pair, TextField } from '../ui/field.tsx';
import { textOf, textOrNull } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Facts } from '../ui/panel.tsx';
import { say } from '../ui/toast.tsx';

interface Props {
  customer_id: string;
  /** Without one, a new one is made. */
  of?: Identity | undefined;
  onClose: () => void;
}

const identityOf = (values: FormData) => ({
  channel: textOf(values, 'channel').trim(),
  external_id: textOf(values, 'external_id').trim(),
  display_name: textOrNull(values, 'display_name'),
  role_override: textOrNull(values, 'role_override'),
  verified: values.has('verified'),
});

export function IdentityForm({ customer_id, of, onClose }: Props) {
  const create = useWrite('create_identity');
  const update = useWrite('update_identity');
  const save = async (values: FormData) => {
    const body = identityOf(values);
    if (of) {
      await update.run({ path: { customer_id, identity_id: of.id }, body: changed(of, body) });
    } else await create.run({ path: { customer_id }, body });
    say(of ? 'The sender is changed.' : 'The sender is known now.');
    onClose();
  };
  const learned = Object.entries(of?.attributes ?? {});
  return (
    <FormDialog
      title={of ? `Change ${visible(of.display_name ?? of.external_id)}` : 'Add a sender'}
      action={of ? 'Save' : 'Add the sender'}
      onSave={save}
      onClose={onClose}
    >
      <IdentityFields of={of} />
      {learned.length > 0 && (
        <Facts
          of={learned.map(
            ([name, value]) =>
              [sentence(name), visible(typeof value === 'string' ? value : JSON.stringify(value))] as const,
          )}
        />
      )}
    </FormDialog>
  );
}

const IdentityFields = ({ of }: { of: Identity | undefined }) => (
  <>
    <Pair>
      <TextField
        name="channel"
        label="Channel"
        mono
        defaultValue={of?.channel ?? 'chatapp'}
        hint="As chatapp, or playground."
        {...boundsOf(facts.channel)}
      />
      <TextField
        name="external_id"
        label="Address"
        mono
        defaultValue={of?.external_id ?? ''}
        hint="A telephone number, or the channel’s own id."
        {...boundsOf(facts.external_id)}
      />
    </Pair>
    <TextField
      name="display_name"
      label="Name"
      optional
      defaultValue={of?.display_name ?? ''}
      {...boundsOf(facts.display_name)}
    />
    <TextField
      name="role_override"
      label="Role"
      optional
      defaultValue={of?.role_override ?? ''}
      hint="In your own words. An owner is who a PIN policy for owners asks."
      {...boundsOf(facts.role_override)}
    />
    <Check name="verified" defaultChecked={of?.verified ?? true}>
      I know that this address is theirs.{' '}
      <span className="hint">Otherwise only public skills serve them.</span>
    </Check>
  </>
);

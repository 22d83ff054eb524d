import { update_connection as facts } from '@agent-control-plane/fields';
import type { Connection } from '@agent-control-plane/sdk';
import { useWrite } from '../queries.ts';
import { boundsOf } from '../rules/bounds.ts';
import { changed } from '../rules/changes.ts';
import { itemsOf } from '../rules/lists.ts';
import { providerWords } from '../rules/providers.ts';
import { visible } from '../rules/visible-text.ts';
import { momentOf, wallIn } from '../rules/zone.ts';
import { TextField } from '../ui/field.tsx';
import { textOf, textOrNull } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { say } from '../ui/toast.tsx';
import { CredentialFields, credentialsOf, HERE, HostsField } from './connection-fields.tsx';

export function ConnectionUpdateForm({ of, onClose }: { of: Connection; onClose: () => void }) {
  const update = useWrite('update_connection');
  const ended = of.expires_at === null ? '' : wallIn(HERE, of.expires_at);
  const save = async (values: FormData) => {
    const ends = textOf(values, 'expires_at');
    const credentials = credentialsOf(values);
    const after = {
      name: textOrNull(values, 'name'),
      allowed_hosts: itemsOf(textOf(values, 'allowed_hosts')),
      // A field of minutes would cut the seconds of an end that nobody touched.
      expires_at: ends === ended ? of.expires_at : ends ? momentOf(HERE, ends) : null,
    };
    await update.run({
      path: { customer_id: of.customer_id, connection_id: of.id },
      body: { ...changed(of, after), ...(credentials && { credentials }) },
    });
    say('The connection is changed.');
    onClose();
  };
  return (
    <FormDialog
      title={`Change ${visible(of.name ?? providerWords(of.provider))}`}
      action="Save"
      onSave={save}
      onClose={onClose}
    >
      {of.last_error && <Notice tone="bad">{visible(of.last_error)}</Notice>}
      <CredentialFields provider={of.provider} required={false} />
      <p className="hint">What is left empty stays as it is stored. New credentials replace all old ones.</p>
      <TextField name="name" label="Name" optional defaultValue={of.name ?? ''} {...boundsOf(facts.name)} />
      <TextField
        name="expires_at"
        label="Expires"
        type="datetime-local"
        optional
        defaultValue={ended}
        hint="A new token that does not expire: leave it empty."
      />
      <HostsField of={of} />
    </FormDialog>
  );
}

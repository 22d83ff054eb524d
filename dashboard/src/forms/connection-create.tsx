import { create_connection as facts } from '@agent-control-plane/fields';
import { useState } from 'react';
import { useWrite } from '../queries.ts';
import { boundsOf } from '../rules/bounds.ts';
import { itemsOf } from '../rules/lists.ts';
import { providerChoices, providerWords } from '../rules/providers.ts';
import { momentOf } from '../rules/zone.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { textOf, textOrNull } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { say } from '../ui/toast.tsx';
import { CredentialFields, credentialsOf, HERE, HostsField } from './connection-fields.tsx';

const OTHER = '';

interface Props {
  customer_id: string;
  /** Begins with this service. */
  provider?: string | undefined;
  onClose: () => void;
}

export function ConnectionCreateForm({ customer_id, provider: first, onClose }: Props) {
  const create = useWrite('create_connection');
  const [provider, setProvider] = useState(first ?? 'chatapp');
  const save = async (values: FormData) => {
    const ends = textOf(values, 'expires_at');
    await create.run({
      path: { customer_id },
      body: {
        provider: provider === OTHER ? textOf(values, 'provider') : provider,
        name: textOrNull(values, 'name'),
        credentials: credentialsOf(values) ?? {},
        expires_at: ends ? momentOf(HERE, ends) : null,
        allowed_hosts: itemsOf(textOf(values, 'allowed_hosts')),
      },
    });
    say('The connection is added.');
    onClose();
  };
  return (
    <FormDialog title="Add a connection" action="Add the connection" onSave={save} onClose={onClose}>
      <SelectField
        name="service"
        label="Service"
        value={provider}
        onChange={({ target }) => setProvider(target.value)}
        choices={[...choicesWith(first), [OTHER, 'Another one']]}
      />
      {provider === OTHER && (
        <TextField
          name="provider"
          label="Its name"
          mono
          hint="As the recipe’s connection requirements have it."
          {...boundsOf(facts.provider)}
        />
      )}
      <CredentialFields key={provider} provider={provider} required />
      <p className="hint">Credentials are kept encrypted, and no page shows them again.</p>
      <TextField
        name="name"
        label="Name"
        optional
        hint="Tells several of one service apart."
        {...boundsOf(facts.name)}
      />
      <TextField name="expires_at" label="Expires" type="datetime-local" optional />
      <HostsField />
    </FormDialog>
  );
}

const choicesWith = (first: string | undefined) =>
  first === undefined || providerChoices.some(([slug]) => slug === first)
    ? providerChoices
    : [...providerChoices, [first, providerWords(first)] as const];

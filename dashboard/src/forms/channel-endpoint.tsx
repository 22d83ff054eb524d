import {
  update_channel_endpoint as changeFacts,
  create_channel_endpoint as facts,
} from '@agent-control-plane/fields';
import type { ChannelEndpoint, Item } from '@agent-control-plane/sdk';
import { useState } from 'react';
import { useRead, useWrite } from '../queries.ts';
import { boundsOf } from '../rules/bounds.ts';
import { changed } from '../rules/changes.ts';
import { randomToken } from '../rules/token.ts';
import { visible } from '../rules/visible-text.ts';
import { Combobox } from '../ui/combobox.tsx';
import { TextField } from '../ui/field.tsx';
import { textOf, textOrNull } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { say } from '../ui/toast.tsx';
import { ConnectionChoice, CustomerChoice } from './channel-endpoint-choices.tsx';

/** With the token that it was saved with, which no answer repeats. */
export interface SavedEndpoint {
  id: string;
  verify_token: string | undefined;
  warnings: readonly string[] | undefined;
}

interface Props {
  /** Without one, a new one is made. */
  of?: ChannelEndpoint | undefined;
  onClose: () => void;
  onSaved: (saved: SavedEndpoint) => void;
}

export function ChannelEndpointForm({ of, onClose, onSaved }: Props) {
  const create = useWrite('create_channel_endpoint');
  const update = useWrite('update_channel_endpoint');
  const save = async (values: FormData) => {
    const settings = {
      phone_number_id: textOf(values, 'phone_number_id').trim(),
      instance_id: textOf(values, 'instance_id'),
      customer_id: textOrNull(values, 'customer_id'),
      connection_name: textOrNull(values, 'connection_name'),
    };
    const verify_token = textOf(values, 'verify_token');
    const app_secret = textOf(values, 'app_secret');
    const { id, warnings } = of
      ? await update.run({
          path: { endpoint_id: of.id },
          body: {
            ...changed(of, settings),
            ...(verify_token && { verify_token }),
            ...(app_secret && { app_secret }),
          },
        })
      : await create.run({ body: { channel: 'chatapp', ...settings, verify_token, app_secret } });
    say(of ? 'The number is changed.' : 'The number is added.');
    onSaved({ id, verify_token: verify_token || undefined, warnings });
  };
  return (
    <FormDialog
      title={of ? `Change ${visible(of.phone_number_id)}` : 'Add a number'}
      action={of ? 'Save' : 'Add the number'}
      onSave={save}
      onClose={onClose}
    >
      <TextField
        name="phone_number_id"
        label="Id of the number"
        mono
        inputMode="numeric"
        placeholder="187768953141096"
        defaultValue={of?.phone_number_id}
        hint="The channel’s console shows it beside the number. It is not the number itself."
        {...boundsOf(facts.phone_number_id)}
      />
      <Targets of={of} />
      <Secrets isNew={of === undefined} />
    </FormDialog>
  );
}

type Agent = Pick<Item<'list_instances'>, 'id' | 'hostname' | 'hosting_mode' | 'customer_id'>;

/** The agent decides which customers and connections there are to choose from. */
function Targets({ of }: { of: ChannelEndpoint | undefined }) {
  const [letters, setLetters] = useState('');
  const [chosen, setChosen] = useState<Agent>();
  const [customer_id, setCustomer] = useState(of?.customer_id ?? '');
  const instance_id = of?.instance_id ?? '';
  const present = useRead('get_instance', { path: { instance_id } }, { enabled: instance_id !== '' });
  const found = useRead('list_instances', { query: { live: true, per_page: 20, search: letters } });
  const agent = chosen ?? present.data;
  const isShared = agent?.hosting_mode === 'shared';
  const items = found.data?.items ?? [];
  return (
    <>
      <Combobox
        name="instance_id"
        label="Agent"
        hint="It answers who writes to the number."
        required
        options={items.map((item) => ({
          id: item.id,
          name: item.hostname,
          detail: visible(item.customer_name ?? item.recipe_name ?? ''),
        }))}
        isStale={found.isPlaceholderData}
        chosen={agent && { id: agent.id, name: agent.hostname }}
        onSearch={setLetters}
        onChoose={(option) => {
          setChosen(items.find(({ id }) => id === option?.id));
          setCustomer('');
        }}
      />
      {agent && isShared && (
        <CustomerChoice instance_id={agent.id} chosen={customer_id} onChoose={setCustomer} />
      )}
      <ConnectionChoice
        customer_id={(isShared ? customer_id : agent?.customer_id) ?? ''}
        chosen={of?.connection_name ?? ''}
      />
    </>
  );
}

function Secrets({ isNew }: { isNew: boolean }) {
  const [token] = useState(randomToken);
  return (
    <>
      <TextField
        name="verify_token"
        label="Verify token"
        mono
        defaultValue={isNew ? token : ''}
        hint={
          isNew
            ? 'A word of yours, which the channel’s console asks for. This one is made up, and shown once more at the end.'
            : 'Empty: it stays as it is. A new one has to be given in the channel’s console, too.'
        }
        {...boundsOf(isNew ? facts.verify_token : changeFacts.verify_token)}
      />
      <TextField
        name="app_secret"
        label="App secret"
        type="password"
        autoComplete="new-password"
        mono
        hint={
          isNew
            ? 'From the basic settings of your app at the channel, which signs its messages with it. It is kept encrypted.'
            : 'Empty: it stays as it is.'
        }
        {...boundsOf(isNew ? facts.app_secret : changeFacts.app_secret)}
      />
    </>
  );
}

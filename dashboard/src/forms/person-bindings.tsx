import { create_binding as facts } from '@agent-control-plane/fields';
import type { Binding, BindingState, StaffRecord } from '@agent-control-plane/sdk';
import { useState } from 'react';
import { useRead, useWrite } from '../queries.ts';
import { boundsOf } from '../rules/bounds.ts';
import type { Sign } from '../rules/status.ts';
import { visible } from '../rules/visible-text.ts';
import { Answered } from '../ui/answered.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogFoot } from '../ui/dialog.tsx';
import { Pair, TextField } from '../ui/field.tsx';
import { Form, textOf, textOrNull } from '../ui/form.tsx';
import { Panel, Rows } from '../ui/panel.tsx';
import { Signed } from '../ui/status.tsx';
import style from './person-bindings.module.css';

const SIGNS: Record<BindingState, Sign> = {
  verified: { word: 'verified', shape: 'check', tone: 'good' },
  unverified: { word: 'not verified yet', shape: 'ring', tone: 'off' },
  rejected: { word: 'refused', shape: 'square', tone: 'off' },
};

/** The addresses that a person writes from, and which of them are proven. */
export function PersonBindings({ of, onClose }: { of: StaffRecord; onClose: () => void }) {
  const path = { customer_id: of.customer_id, person_id: of.id };
  const list = useRead('list_bindings', { path, query: { per_page: 100 } });
  return (
    <Dialog title={`Addresses of ${visible(of.name)}`} onClose={onClose}>
      <p className="hint">
        From a verified address the person may ask an agent about their own shifts and hours. The agent asks
        once whether it is theirs: the answer is the code, or a yes.
      </p>
      <Answered of={list}>
        {({ items }) =>
          items.length > 0 && (
            <Panel label="Addresses" bare>
              <Rows>
                {items.map((each) => (
                  <Address key={each.id} of={each} />
                ))}
              </Rows>
            </Panel>
          )
        }
      </Answered>
      <AddressForm path={path} onClose={onClose} />
    </Dialog>
  );
}

function Address({ of }: { of: Binding }) {
  const erase = useWrite('delete_binding');
  const path = { customer_id: of.customer_id, person_id: of.person_id, binding_id: of.id };
  return (
    <li className={style.address}>
      <span>
        <code className="mono">{visible(of.channel_address)}</code>{' '}
        <span className="hint">{visible(of.channel_type)}</span>
      </span>
      <Signed sign={SIGNS[of.state]} />
      <Button
        small
        look="plain"
        icon="trash"
        aria-label={`Take away ${visible(of.channel_address)}`}
        pending={erase.pending}
        onClick={() => void erase.run({ path })}
      />
    </li>
  );
}

interface AddressFormProps {
  path: { customer_id: string; person_id: string };
  onClose: () => void;
}

function AddressForm({ path, onClose }: AddressFormProps) {
  const create = useWrite('create_binding');
  const [made, setMade] = useState(0);
  const save = async (values: FormData) => {
    await create.run({
      path,
      body: {
        channel_type: textOf(values, 'channel_type').trim(),
        channel_address: textOf(values, 'channel_address').trim(),
        code: textOrNull(values, 'code'),
      },
    });
    setMade(made + 1);
  };
  return (
    <Form key={made} onSave={save} label="Add an address">
      {(pending) => (
        <>
          <Pair>
            <TextField
              name="channel_address"
              label="Address"
              mono
              placeholder="61400000001"
              {...boundsOf(facts.channel_address)}
            />
            <TextField
              name="channel_type"
              label="Channel"
              mono
              defaultValue="chatapp"
              {...boundsOf(facts.channel_type)}
            />
          </Pair>
          <TextField
            name="code"
            label="Code"
            optional
            mono
            hint="Tell it the person yourself. Without one, a yes is enough."
            {...boundsOf(facts.code)}
          />
          <DialogFoot>
            <Button onClick={onClose}>Close</Button>
            <Button type="submit" look="primary" pending={pending}>
              Add the address
            </Button>
          </DialogFoot>
        </>
      )}
    </Form>
  );
}

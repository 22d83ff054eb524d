import { set_customer_pin as facts } from '@agent-control-plane/fields';
import type { CustomerInstance, PinStatus } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead, useWrite } from '../queries.ts';
import { boundsOf } from '../rules/bounds.ts';
import { pinPolicyWords } from '../rules/pin-policy.ts';
import { visible } from '../rules/visible-text.ts';
import { Answered } from '../ui/answered.tsx';
import { Button } from '../ui/button.tsx';
import { Command } from '../ui/copy.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { FormFoot, TextField } from '../ui/field.tsx';
import { Form, textOf } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';
import { Panel, Rows } from '../ui/panel.tsx';
import { Signed } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { say } from '../ui/toast.tsx';
import style from './customer-settings.module.css';

const route = getRouteApi('/inside/customers/$customer_id/pin');

export function CustomerPin() {
  const { customer_id } = route.useParams();
  const pin = useRead('get_customer_pin', { path: { customer_id } });
  return (
    <div className={style.halves}>
      <Panel title="PIN of the customer">
        <Answered of={pin}>
          {(data) => <Own key={String(data.created_at)} customer_id={customer_id} of={data} />}
        </Answered>
      </Panel>
      <Policies customer_id={customer_id} />
    </div>
  );
}

function Own({ customer_id, of }: { customer_id: string; of: PinStatus }) {
  const set = useWrite('set_customer_pin');
  const [typed, setTyped] = useState('');
  const [isEnding, setEnding] = useState(false);
  const save = async (values: FormData) => {
    await set.run({ path: { customer_id }, body: { pin: textOf(values, 'pin') } });
    setTyped('');
    say('The PIN is set.');
  };
  return (
    <div className={style.figures}>
      <State of={of} />
      <Form onSave={save} label="PIN">
        {(pending) => (
          <>
            <TextField
              name="pin"
              label={of.has_pin ? 'New PIN' : 'PIN'}
              type="password"
              inputMode="numeric"
              autoComplete="new-password"
              title="4 to 12 digits"
              hint="4 to 12 digits. Nobody can read it afterwards; senders may have one of their own instead."
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              {...boundsOf(facts.pin)}
            />
            <FormFoot>
              <Button type="submit" look="primary" pending={pending}>
                {of.has_pin ? 'Change the PIN' : 'Set the PIN'}
              </Button>
              {of.has_pin && (
                <Button look="bad" onClick={() => setEnding(true)}>
                  Remove
                </Button>
              )}
            </FormFoot>
          </>
        )}
      </Form>
      <Command>agentctl pins set ops@example.com</Command>
      {isEnding && <Removal customer_id={customer_id} onClose={() => setEnding(false)} />}
    </div>
  );
}

function State({ of }: { of: PinStatus }) {
  if (!of.has_pin)
    return (
      <p className="muted">None is set. Skills that ask for one open to nobody without a PIN of their own.</p>
    );
  if (of.is_locked)
    return (
      <Notice tone="wait">
        It is locked after too many wrong tries
        {of.locked_until && (
          <>
            , <Time at={of.locked_until} as="left" />
          </>
        )}
        . A new PIN ends the lock.
      </Notice>
    );
  if (!of.is_active)
    return <Notice tone="wait">It is not active: it opens nothing until it is set anew.</Notice>;
  return (
    <p>
      <Signed sign={{ word: 'set', shape: 'check', tone: 'good' }}>A PIN is set</Signed>
      {of.created_at && (
        <span className="muted">
          , since <Time at={of.created_at} as="when" />
        </span>
      )}
    </p>
  );
}

function Removal({ customer_id, onClose }: { customer_id: string; onClose: () => void }) {
  const remove = useWrite('delete_customer_pin');
  return (
    <Confirm
      title="Remove the PIN?"
      action="Remove the PIN"
      run={() => remove.run({ path: { customer_id } })}
      onClose={onClose}
    >
      Skills that ask for one then open only to senders with a PIN of their own.
    </Confirm>
  );
}

function Policies({ customer_id }: { customer_id: string }) {
  const customer = useRead('get_customer', { path: { customer_id } });
  return (
    <Panel title="When agents ask for it" bare>
      <Answered of={customer}>
        {({ instances }) => {
          const live = instances.filter(({ status }) => status !== 'terminated');
          return live.length === 0 ? (
            <p className={`muted ${style.alone}`}>No agent works for this customer.</p>
          ) : (
            <Rows>
              {live.map((each) => (
                <Policy key={each.id} of={each} />
              ))}
            </Rows>
          );
        }}
      </Answered>
    </Panel>
  );
}

const accessPath = (instance_id: string): string => `/instances/${instance_id}/access`;

function Policy({ of: { id, hostname } }: { of: CustomerInstance }) {
  const { data } = useRead('get_pin_policy', { path: { instance_id: id } });
  return (
    <li className={style.policy} data-row>
      <Link to={accessPath(id)} className="mono">
        {visible(hostname)}
      </Link>
      <span className="hint">{data && visible(pinPolicyWords(data))}</span>
    </li>
  );
}

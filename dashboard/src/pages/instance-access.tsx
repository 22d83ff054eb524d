import type { InstanceDetail } from '@agent-control-plane/sdk';
import { useState } from 'react';
import { PinPolicyForm } from '../forms/pin-policy.tsx';
import { useRead } from '../queries.ts';
import { pinPolicyWords } from '../rules/pin-policy.ts';
import { visible } from '../rules/visible-text.ts';
import { Answered } from '../ui/answered.tsx';
import { Button } from '../ui/button.tsx';
import { Facts, Panel } from '../ui/panel.tsx';
import style from './instance-access.module.css';
import { InstanceCredentials } from './instance-credentials.tsx';
import { InstanceEnd } from './instance-end.tsx';
import { useInstance, useIsAdmin } from './use-instance.ts';

export function InstanceAccess() {
  const instance = useInstance();
  const isAdmin = useIsAdmin();
  return (
    <Answered of={instance}>
      {(data) => (
        <div className={style.stack}>
          <Policy of={data} isAdmin={isAdmin ?? false} />
          {isAdmin && data.status !== 'terminated' && <InstanceCredentials of={data} />}
          {data.status !== 'terminated' && data.status !== 'terminating' && <Ends of={data} />}
        </div>
      )}
    </Answered>
  );
}

const AUDIENCES = { owner: 'owners', customer: 'everybody but owners', all: 'everybody' };

function Policy({ of, isAdmin }: { of: InstanceDetail; isAdmin: boolean }) {
  const [isChanging, setChanging] = useState(false);
  const policy = useRead('get_pin_policy', { path: { instance_id: of.id } });
  return (
    <Panel
      title="PIN policy"
      aside={
        isAdmin &&
        policy.data && (
          <Button small onClick={() => setChanging(true)}>
            Change
          </Button>
        )
      }
    >
      <Answered of={policy}>
        {(data) => (
          <div className={style.policy}>
            <p>{visible(pinPolicyWords(data))}</p>
            <Facts
              of={[
                ['Who is asked', AUDIENCES[data.pin_applies_to]],
                [
                  'Skills that ask',
                  <span key="skills" className="mono">
                    {visible(data.pin_required_skills.join(', ')) || 'none'}
                  </span>,
                ],
                [
                  'Internal calls',
                  data.require_sender_token
                    ? 'only with the sender’s token'
                    : 'also without a sender’s token',
                ],
              ]}
            />
            {isChanging && <PinPolicyForm of={data} onClose={() => setChanging(false)} />}
          </div>
        )}
      </Answered>
    </Panel>
  );
}

function Ends({ of }: { of: InstanceDetail }) {
  const [how, setHow] = useState<'stop' | 'terminate'>();
  return (
    <Panel title="End it">
      <ul className={style.acts}>
        {of.status === 'running' && (
          <li>
            <span>
              Stop
              <span className="hint">It answers nobody until it is started again. Messages wait.</span>
            </span>
            <Button onClick={() => setHow('stop')}>Stop…</Button>
          </li>
        )}
        <li>
          <span>
            Terminate
            <span className="hint">
              It ends for good, with its keys and its address. Conversations stay readable.
            </span>
          </span>
          <Button look="bad" onClick={() => setHow('terminate')}>
            Terminate…
          </Button>
        </li>
      </ul>
      {how && <InstanceEnd of={of} how={how} onClose={() => setHow(undefined)} />}
    </Panel>
  );
}

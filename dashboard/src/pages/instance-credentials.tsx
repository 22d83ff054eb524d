import type { InstanceDetail } from '@agent-control-plane/sdk';
import { useState } from 'react';
import { useWrite } from '../queries.ts';
import { visible } from '../rules/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { SecretOnce } from '../ui/copy.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Failed } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { Time } from '../ui/time.tsx';
import { say } from '../ui/toast.tsx';
import style from './instance-access.module.css';

/** For a runtime that somebody runs by hand. Those of the service have theirs already. */
export const InstanceCredentials = ({ of }: { of: InstanceDetail }) => (
  <Panel title="Credentials of the runtime">
    <ul className={style.acts}>
      <ProxyKey of={of} />
      <Enrollment of={of} />
    </ul>
  </Panel>
);

function ProxyKey({ of }: { of: InstanceDetail }) {
  const [key, setKey] = useState<string>();
  const [isEnding, setEnding] = useState(false);
  const create = useWrite('create_proxy_key');
  const end = useWrite('delete_proxy_key');
  const path = { instance_id: of.id };
  const make = async () => {
    const made = await create.run({ path }).catch(() => undefined);
    setKey(made?.proxy_key);
  };
  return (
    <li>
      <span>
        Proxy key
        <span className="hint">
          Internal routes take it. The key before a new one counts for 10 minutes more.
        </span>
      </span>
      <span className={style.buttons}>
        <Button look="bad" onClick={() => setEnding(true)}>
          End all keys…
        </Button>
        <Button onClick={() => void make()} pending={create.pending}>
          New key
        </Button>
      </span>
      {create.error && (
        <div className={style.once}>
          <Failed error={create.error} />
        </div>
      )}
      {key !== undefined && (
        <div className={style.once}>
          <SecretOnce secret={key} label="the proxy key" />
        </div>
      )}
      {isEnding && (
        <Confirm
          title={`End all proxy keys of ${visible(of.hostname)}?`}
          action="End all keys"
          run={async () => {
            await end.run({ path });
            setKey(undefined);
            say('The keys are ended.');
          }}
          onClose={() => setEnding(false)}
        >
          For a key that leaked. No key of it counts from now on; its runtime ends, and is started again with
          a new one.
        </Confirm>
      )}
    </li>
  );
}

function Enrollment({ of }: { of: InstanceDetail }) {
  const [token, setToken] = useState<{ enrollment_token: string; expires_at: string }>();
  const create = useWrite('create_enrollment_token');
  const make = async () => {
    setToken(await create.run({ path: { instance_id: of.id } }).catch(() => undefined));
  };
  return (
    <li>
      <span>
        Enrollment token
        <span className="hint">
          For a runtime that has lost everything. Good once, for 15 minutes; what it has counts until then.
        </span>
      </span>
      <Button onClick={() => void make()} pending={create.pending}>
        New token
      </Button>
      {create.error && (
        <div className={style.once}>
          <Failed error={create.error} />
        </div>
      )}
      {token && (
        <div className={style.once}>
          <SecretOnce secret={token.enrollment_token} label="the enrollment token" />
          <p className="hint">
            <Time at={token.expires_at} as="left" />
          </p>
        </div>
      )}
    </li>
  );
}

import type { Me } from '@agent-control-plane/sdk';
import { useState } from 'react';
import { hasKeys, type Scheme, scheme, setKeys, setScheme } from '../appearance.ts';
import { PasswordForm } from '../forms/password-change.tsx';
import { useRead } from '../queries.ts';
import { visible } from '../rules/visible-text.ts';
import { sentence } from '../rules/words.ts';
import { signOut, switchTenant } from '../session.ts';
import { Answered } from '../ui/answered.tsx';
import { Button } from '../ui/button.tsx';
import { Chips } from '../ui/chips.tsx';
import { Check } from '../ui/field.tsx';
import { Failed } from '../ui/notice.tsx';
import { Panel, Rows } from '../ui/panel.tsx';
import { Signed } from '../ui/status.tsx';
import style from './settings-me.module.css';
import { MySessions } from './settings-sessions.tsx';
import { KeyList } from './settings-shortcuts.tsx';

export function SettingsMe() {
  const me = useRead('get_me', {});
  return (
    <Answered of={me}>
      {(data) => (
        <div className={style.page}>
          <header className={style.who}>
            <div>
              <h2>{visible(data.user.email)}</h2>
              <p className="muted">
                {sentence(data.role)} of {visible(data.tenant.name)}
              </p>
            </div>
            <Button onClick={() => void signOut()}>Sign out</Button>
          </header>
          <div className={style.columns}>
            <div className={style.stack}>
              <Panel title="Password">
                <PasswordForm email={data.user.email} />
              </Panel>
              <Appearance />
              {data.memberships.length > 1 && <Tenants of={data} />}
            </div>
            <Shortcuts isAdmin={data.role === 'admin'} />
          </div>
          <MySessions />
        </div>
      )}
    </Answered>
  );
}

const SCHEMES: readonly (readonly [Scheme, string])[] = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

function Appearance() {
  const [chosen, setChosen] = useState(scheme);
  const choose = (to: Scheme) => {
    setScheme(to);
    setChosen(to);
  };
  return (
    <Panel title="Appearance">
      <Chips label="Appearance" of={SCHEMES} chosen={chosen} onChoose={choose} />
      <p className={`hint ${style.note}`}>Kept in this browser.</p>
    </Panel>
  );
}

function Shortcuts({ isAdmin }: { isAdmin: boolean }) {
  const [on, setOn] = useState(hasKeys);
  return (
    <div id="keys" className={style.keys}>
      <Panel title="Keys">
        <Check
          checked={on}
          onChange={({ target }) => {
            setKeys(target.checked);
            setOn(target.checked);
          }}
        >
          Single letters act
          <span className="hint"> Off is better for who speaks to the browser. Kept in this browser.</span>
        </Check>
        <KeyList letters={on} isAdmin={isAdmin} />
      </Panel>
    </div>
  );
}

function Tenants({ of: { memberships, tenant } }: { of: Me }) {
  const [error, setError] = useState<unknown>();
  return (
    <Panel title="Tenants" bare>
      {error !== undefined && <Failed error={error} />}
      <Rows>
        {memberships.map(({ tenant_id, tenant_name, role }) => (
          <li key={tenant_id} className={style.tenant}>
            <span className="one">
              <span className="strong">{visible(tenant_name)}</span>{' '}
              <span className="muted">{sentence(role)}</span>
            </span>
            {tenant_id === tenant.id ? (
              <Signed sign={{ word: 'you are here', shape: 'disc', tone: 'act' }} />
            ) : (
              <Button small onClick={() => void switchTenant(tenant_id).catch(setError)}>
                Go there<span className="vh"> to {visible(tenant_name)}</span>
              </Button>
            )}
          </li>
        ))}
      </Rows>
    </Panel>
  );
}

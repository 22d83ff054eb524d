import type { AuthorityKey } from '@agent-control-plane/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useOperatorRead, useOperatorWrite } from '../operator.ts';
import type { Sign } from '../rules/status.ts';
import { day } from '../rules/time.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Listed } from '../ui/listed.tsx';
import { Empty } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Signed } from '../ui/status.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { say } from '../ui/toast.tsx';
import style from './operator.module.css';
import { MasterKey } from './operator-master-key.tsx';

function signOf({ retired_at, not_after }: AuthorityKey): Sign {
  if (Date.parse(not_after) < Date.now()) return { word: 'over', shape: 'square', tone: 'off' };
  return retired_at === null
    ? { word: 'at work', shape: 'disc', tone: 'good' }
    : { word: 'signs nothing more', shape: 'ring', tone: 'off' };
}

const COLUMNS: readonly Column<AuthorityKey>[] = [
  {
    name: 'Key',
    cell: ({ kind, serial }) => (
      <>
        <span className="strong">{kind === 'root' ? 'Root' : 'Issues certificates'}</span>
        <span className={`mono muted ${style.under}`}>{serial}</span>
      </>
    ),
  },
  { name: 'State', cell: (key) => <Signed sign={signOf(key)} /> },
  {
    name: 'Private key',
    priority: 2,
    cell: ({ is_kept_here }) => (is_kept_here ? 'kept here, encrypted' : 'kept elsewhere'),
  },
  { name: 'Since', priority: 3, cell: ({ not_before }) => <Time at={not_before} as="when" /> },
  { name: 'Trusted', priority: 2, cell: ({ not_after }) => <Time at={not_after} as="left" /> },
];

const route = getRouteApi('/operator/operator/authority');

export function OperatorAuthority() {
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const [isRotating, setRotating] = useState(false);
  const list = useOperatorRead('list_operator_ca', { query: { page, per_page: 50 } });
  return (
    <Page
      title="Authority"
      name="Authority · Operator"
      sub="Agents’ runtimes prove who they are by certificates of the service’s own authority"
      actions={<Button onClick={() => setRotating(true)}>Replace the issuing key…</Button>}
    >
      <Listed
        of={list}
        rows={({ items }) => items}
        label="Keys of the authority"
        columns={COLUMNS}
        onPage={(to) => void navigate({ search: { page: to } })}
        empty={<Empty>The authority makes its keys when the first agent enrolls.</Empty>}
      />
      <MasterKey />
      {isRotating && <Rotation onClose={() => setRotating(false)} />}
    </Page>
  );
}

function Rotation({ onClose }: { onClose: () => void }) {
  const rotate = useOperatorWrite('rotate_ca', {
    done: ({ not_after }) => say(`A new key issues certificates, until ${day(not_after)}.`),
  });
  return (
    <Confirm
      title="Replace the key that issues certificates?"
      action="Replace the key"
      run={() => rotate.run({})}
      onClose={onClose}
    >
      From now on certificates are issued by a new key. The key of now stays trusted until the last
      certificate that it issued has run out, so no agent is interrupted. The root stays.
    </Confirm>
  );
}

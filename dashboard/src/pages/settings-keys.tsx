import type { ApiKey, ApiKeyWithSecret } from '@agent-control-plane/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiKeyCreateForm } from '../forms/api-key-create.tsx';
import { ApiKeyRotateForm } from '../forms/api-key-rotate.tsx';
import { useRead, useWrite } from '../queries.ts';
import { scopeWords } from '../rules/scopes.ts';
import { visible } from '../rules/visible-text.ts';
import { count, sentence } from '../rules/words.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Listed } from '../ui/listed.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Name } from '../ui/name.tsx';
import { Empty } from '../ui/notice.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { say } from '../ui/toast.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import style from './settings.module.css';

const SHOWN_SCOPES = 3;

const columns = (act: (what: Acting) => void): readonly Column<ApiKey>[] => [
  {
    name: 'Key',
    cell: ({ name, prefix }) => (
      <>
        <span className="strong">
          <Name of={name} />
        </span>
        <span className={`mono muted ${style.under}`}>{prefix}…</span>
      </>
    ),
  },
  { name: 'May do', priority: 2, cell: ({ scopes }) => <Scopes of={scopes} /> },
  { name: 'Role', priority: 2, cell: ({ role }) => sentence(role) },
  {
    name: 'Rate limit',
    priority: 3,
    cell: ({ rate_limit: { limit, window_seconds } }) => (
      <span className="num">
        {count(limit)} in {count(window_seconds)} s
      </span>
    ),
  },
  {
    name: 'Last used',
    priority: 2,
    cell: ({ last_used_at }) =>
      last_used_at ? <Time at={last_used_at} /> : <span className="muted">never</span>,
  },
  {
    name: 'Ends',
    cell: ({ expires_at }) =>
      expires_at ? <Time at={expires_at} as="left" /> : <span className="muted">never</span>,
  },
  {
    name: '',
    end: true,
    cell: (key) => (
      <Menu label={`Actions for ${visible(key.name)}`}>
        <MenuItem onSelect={() => act({ key, does: 'rotate' })}>Replace…</MenuItem>
        <MenuItem bad onSelect={() => act({ key, does: 'delete' })}>
          Revoke…
        </MenuItem>
      </Menu>
    ),
  },
];

function Scopes({ of }: { of: readonly string[] }) {
  const words = of.map(scopeWords);
  const more = words.length - SHOWN_SCOPES;
  return (
    <span title={words.join('\n')}>
      {words.slice(0, SHOWN_SCOPES).join(' · ')}
      {more > 0 && <span className="muted"> and {more} more</span>}
    </span>
  );
}

interface Acting {
  key: ApiKey;
  does: 'rotate' | 'delete';
}

const route = getRouteApi('/inside/settings/settings/keys');

export function SettingsKeys() {
  const { page = 1, open } = route.useSearch();
  const navigate = route.useNavigate();
  const [acting, setActing] = useState<Acting>();
  const [made, setMade] = useState<ApiKeyWithSecret>();
  const list = useRead('list_api_keys', { query: { page, per_page: 50 } });
  const openAs = (what: string | undefined) => void navigate({ search: (old) => ({ ...old, open: what }) });
  const show = (key: ApiKeyWithSecret) => {
    setActing(undefined);
    setMade(key);
    openAs(undefined);
  };
  return (
    <>
      <Toolbar
        actions={
          <Button look="primary" icon="plus" onClick={() => openAs('new')}>
            API key
          </Button>
        }
      >
        <p className="muted">Programs sign their requests with these. Each may do what its scopes name.</p>
      </Toolbar>
      <Listed
        of={list}
        rows={({ items }) => items}
        label="API keys"
        columns={columns(setActing)}
        onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
        empty={
          <Empty
            action={<Button onClick={() => openAs('new')}>Make a key</Button>}
            command="agentctl keys create --name deploy-bot --scope recipes:read"
          >
            No program has a key to this tenant yet.
          </Empty>
        }
      />
      {open === 'new' && <ApiKeyCreateForm onMade={show} onClose={() => openAs(undefined)} />}
      {acting?.does === 'rotate' && (
        <ApiKeyRotateForm of={acting.key} onMade={show} onClose={() => setActing(undefined)} />
      )}
      {acting?.does === 'delete' && <Revoking of={acting.key} onClose={() => setActing(undefined)} />}
      {made && (
        <SecretDialog
          title={`The key of ${visible(made.name)}`}
          secret={made.key}
          label="the key"
          onClose={() => setMade(undefined)}
        >
          It is shown this once. Programs send it as the header X-API-Key.
        </SecretDialog>
      )}
    </>
  );
}

function Revoking({ of: { id, name }, onClose }: { of: ApiKey; onClose: () => void }) {
  const revoke = useWrite('delete_api_key', { done: () => say('The key is revoked.') });
  return (
    <Confirm
      title={`Revoke ${visible(name)}?`}
      action="Revoke the key"
      run={() => revoke.run({ path: { api_key_id: id } })}
      onClose={onClose}
    >
      Within a second, requests with this key are refused. That cannot be undone: to give its program another
      key first, replace it instead.
    </Confirm>
  );
}

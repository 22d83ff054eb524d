import type { Website } from '@agent-control-plane/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { WebsiteCreateForm } from '../forms/website-create.tsx';
import { useRead, useWrite } from '../queries.ts';
import { visible } from '../rules/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Listed } from '../ui/listed.tsx';
import { Empty } from '../ui/notice.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { Toolbar } from '../ui/toolbar.tsx';

const route = getRouteApi('/inside/customers/$customer_id/websites');

const columns = (onEnd: (row: Website) => void): readonly Column<Website>[] => [
  {
    name: 'Host',
    cell: ({ hostname }) => (
      <a className="mono" href={`https://${hostname}/`} target="_blank" rel="noopener noreferrer">
        {visible(hostname)}
      </a>
    ),
  },
  { name: 'Since', priority: 2, cell: ({ created_at }) => <Time at={created_at} as="when" /> },
  {
    name: '',
    end: true,
    cell: (row) => (
      <Button
        small
        look="plain"
        icon="trash"
        aria-label={`Delete ${visible(row.hostname)}`}
        onClick={() => onEnd(row)}
      />
    ),
  },
];

export function CustomerWebsites() {
  const { customer_id } = route.useParams();
  const { page = 1, open } = route.useSearch();
  const navigate = route.useNavigate();
  const [ending, setEnding] = useState<Website>();
  const list = useRead('list_websites', { path: { customer_id }, query: { page } });
  const openAs = (what: string | undefined) => void navigate({ search: (old) => ({ ...old, open: what }) });
  return (
    <>
      <Toolbar
        actions={
          <Button look="primary" icon="plus" onClick={() => openAs('new')}>
            Website
          </Button>
        }
      >
        <p className="muted">An agent that several customers share tells by the host whose visitor writes.</p>
      </Toolbar>
      <Listed
        of={list}
        rows={({ items }) => items}
        label="Websites"
        columns={columns(setEnding)}
        onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
        empty={
          <Empty action={<Button onClick={() => openAs('new')}>Add a website</Button>}>
            This customer has no website here yet.
          </Empty>
        }
      />
      {open === 'new' && <WebsiteCreateForm customer_id={customer_id} onClose={() => openAs(undefined)} />}
      {ending && <Deletion of={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

function Deletion({ of, onClose }: { of: Website; onClose: () => void }) {
  const erase = useWrite('delete_website');
  return (
    <Confirm
      title={`Delete ${visible(of.hostname)}?`}
      action="Delete the website"
      run={() => erase.run({ path: { customer_id: of.customer_id, website_id: of.id } })}
      onClose={onClose}
    >
      Agents no longer find the customer by this host, and another customer may have it.
    </Confirm>
  );
}

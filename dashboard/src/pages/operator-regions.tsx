import type { RegionDetail } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { RegionForm } from '../forms/region.tsx';
import { useOperatorRead } from '../operator.ts';
import { visible } from '../rules/visible-text.ts';

import { Button } from '../ui/button.tsx';
import { Listed } from '../ui/listed.tsx';
import { Empty } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { Offered } from './offered.tsx';
import style from './operator.module.css';

const COLUMNS: readonly Column<RegionDetail>[] = [
  {
    name: 'Region',
    cell: ({ id, name }) => (
      <>
        <Link from="/operator/regions" search={(old) => ({ ...old, open: id })}>
          {visible(name)}
        </Link>
        <span className={`mono muted ${style.under}`}>{visible(id)}</span>
      </>
    ),
  },
  {
    name: 'Chat channel',
    priority: 2,
    cell: ({ chatapp_api_base_url: url }) =>
      url ? <span className="mono">{visible(url)}</span> : <span className="muted">its own address</span>,
  },
  { name: 'State', cell: ({ is_active }) => <Offered is={is_active} /> },
  { name: 'Changed', priority: 3, cell: ({ updated_at }) => <Time at={updated_at} as="when" /> },
];

const route = getRouteApi('/operator/operator/regions');

export function OperatorRegions() {
  const { page = 1, open } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useOperatorRead('list_operator_regions', { query: { page, per_page: 50 } });
  const openAs = (what: string | undefined) => void navigate({ search: (old) => ({ ...old, open: what }) });
  const opened = list.data?.items.find(({ id }) => id === open);
  return (
    <Page
      title="Regions"
      name="Regions · Operator"
      sub="Where agents run, and where they reach the chat channel from"
      actions={
        <Button look="primary" icon="plus" onClick={() => openAs('new')}>
          Region
        </Button>
      }
    >
      <Listed
        of={list}
        rows={({ items }) => items}
        label="Regions"
        columns={COLUMNS}
        onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
        empty={
          <Empty action={<Button onClick={() => openAs('new')}>Add the first</Button>}>
            There is no region, so no agent can be deployed.
          </Empty>
        }
      />
      {(open === 'new' || opened) && <RegionForm of={opened} onClose={() => openAs(undefined)} />}
    </Page>
  );
}

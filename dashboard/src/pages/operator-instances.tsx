import type { InstanceStatus, OperatorInstance } from '@agent-control-plane/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { FleetRestartForm } from '../forms/fleet-restart.tsx';
import { useOperatorRead } from '../operator.ts';
import { runtimeTrouble, runtimeWords } from '../rules/runtime-words.ts';
import { signOf } from '../rules/status.ts';
import { visible } from '../rules/visible-text.ts';
import { sentence } from '../rules/words.ts';
import { Button } from '../ui/button.tsx';
import type { Choice } from '../ui/field.tsx';
import { Listed } from '../ui/listed.tsx';
import { Page } from '../ui/page.tsx';
import { Status } from '../ui/status.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import style from './operator.module.css';
import { Filters, type Narrowed, None, TenantName } from './operator-filters.tsx';

const STATES: readonly InstanceStatus[] = [
  'running',
  'pending',
  'provisioning',
  'stopped',
  'failed',
  'terminating',
  'terminated',
];

const COLUMNS: readonly Column<OperatorInstance>[] = [
  {
    name: 'Agent',
    cell: ({ hostname, id }) => (
      <>
        <span className="strong">{visible(hostname)}</span>
        <span className={`mono muted ${style.under}`} title={id}>
          {id.slice(0, 8)}…
        </span>
      </>
    ),
  },
  { name: 'Tenant', cell: ({ tenant_id }) => <TenantName id={tenant_id} /> },
  { name: 'State', cell: ({ status }) => <Status of="instance" is={status} /> },
  {
    name: 'Runtime',
    priority: 2,
    cell: ({ runtime }) => (
      <>
        {runtimeWords(runtime)}
        {runtime.reason !== null && <span className={`hint ${style.under}`}>{runtimeTrouble(runtime)}</span>}
      </>
    ),
  },
  {
    name: 'Recipe',
    priority: 3,
    cell: ({ template_name, recipe_revision }) => (
      <>
        {visible(template_name)} <span className="mono muted">r{recipe_revision}</span>
      </>
    ),
  },
  {
    name: 'Host',
    priority: 3,
    cell: ({ host_id }) => (
      <span className="mono muted" title={host_id ?? undefined}>
        {host_id ? `${host_id.slice(0, 8)}…` : ''}
      </span>
    ),
  },
  { name: 'Since', priority: 2, cell: ({ created_at }) => <Time at={created_at} as="when" /> },
];

const CHOICES = STATES.map((each): Choice => [each, sentence(signOf('instance', each).word)]);

const route = getRouteApi('/operator/operator/instances');

export function OperatorInstances() {
  const { page = 1, tenant, ...search } = route.useSearch();
  const status = STATES.find((each) => each === search.status);
  const navigate = route.useNavigate();
  const [isRestarting, setRestarting] = useState(false);
  const narrow = (by: Narrowed) => void navigate({ search: by });
  const list = useOperatorRead(
    'list_operator_instances',
    {
      query: { page, per_page: 50, ...(tenant && { tenant_id: tenant }), ...(status && { status }) },
    },
    { isLive: true },
  );
  return (
    <Page
      title="Agents"
      name="Agents · Operator"
      sub="Of all tenants, ended ones too"
      actions={<Button onClick={() => setRestarting(true)}>Restart…</Button>}
    >
      <Filters tenant={tenant} status={status} states={CHOICES} onNarrow={narrow} />
      <Listed
        of={list}
        rows={({ items }) => items}
        label="Agents"
        columns={COLUMNS}
        onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
        empty={
          <None tenant={tenant} status={status} onNarrow={narrow} one="agent">
            No tenant has deployed an agent yet.
          </None>
        }
      />
      {isRestarting && <FleetRestartForm tenant={tenant} onClose={() => setRestarting(false)} />}
    </Page>
  );
}

import type { OperatorMessage, OperatorMessageStatus } from '@agent-control-plane/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { useOperatorRead } from '../operator.ts';
import { type Sign, signOf } from '../rules/status.ts';
import { visible } from '../rules/visible-text.ts';
import { plural, sentence } from '../rules/words.ts';
import type { Choice } from '../ui/field.tsx';
import { Listed } from '../ui/listed.tsx';
import { Page } from '../ui/page.tsx';
import { Signed } from '../ui/status.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import style from './operator.module.css';
import { Filters, type Narrowed, None, TenantName } from './operator-filters.tsx';

const STATES: readonly OperatorMessageStatus[] = [
  'pending',
  'delivered',
  'dead',
  'queued',
  'sent',
  'read',
  'failed',
];

/** A received message waits for its agent, which is no matter of the channel. */
const PENDING: Sign = { word: 'waits for its agent', shape: 'ring', tone: 'off' };

const stateOf = (status: OperatorMessageStatus) =>
  status === 'pending' ? PENDING : signOf('message', status);

const COLUMNS: readonly Column<OperatorMessage>[] = [
  {
    name: 'Message',
    cell: ({ direction, channel }) => (
      <>
        <span className="strong">{direction === 'in' ? 'From a sender' : 'To a sender'}</span>
        <span className={`mono muted ${style.under}`}>{visible(channel)}</span>
      </>
    ),
  },
  { name: 'Tenant', cell: ({ tenant_id }) => <TenantName id={tenant_id} /> },
  {
    name: 'State',
    cell: ({ status, attempts, last_error }) => (
      <>
        <Signed sign={stateOf(status)} />
        {last_error && (
          <span className={`hint ${style.under}`}>
            {visible(last_error)}, {plural(attempts, 'attempt')}
          </span>
        )}
      </>
    ),
  },
  {
    name: 'Agent',
    priority: 3,
    cell: ({ instance_id }) => (
      <span className="mono muted" title={instance_id}>
        {instance_id.slice(0, 8)}…
      </span>
    ),
  },
  { name: 'When', end: true, cell: ({ received_at }) => <Time at={received_at} as="when" /> },
];

const CHOICES = STATES.map((each): Choice => [each, sentence(stateOf(each).word)]);

const route = getRouteApi('/operator/operator/messages');

export function OperatorMessages() {
  const { page = 1, tenant, ...search } = route.useSearch();
  const status = STATES.find((each) => each === search.status);
  const navigate = route.useNavigate();
  const narrow = (by: Narrowed) => void navigate({ search: by });
  const list = useOperatorRead(
    'list_operator_messages',
    {
      query: { page, per_page: 50, ...(tenant && { tenant_id: tenant }), ...(status && { status }) },
    },
    { isLive: true },
  );
  return (
    <Page title="Messages" name="Messages · Operator" sub="In both directions, without what they say">
      <Filters tenant={tenant} status={status} states={CHOICES} onNarrow={narrow} />
      <Listed
        of={list}
        rows={({ items }) => items}
        label="Messages"
        columns={COLUMNS}
        onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
        empty={
          <None tenant={tenant} status={status} onNarrow={narrow} one="message">
            No message was received or sent yet.
          </None>
        }
      />
    </Page>
  );
}

import type { Result } from '@agent-control-plane/sdk';
import type { ReactNode } from 'react';
import { useRead } from '../queries.ts';
import { approvalPath, conversationPath } from '../rules/names.ts';
import type { Sign } from '../rules/status.ts';
import { visible } from '../rules/visible-text.ts';
import { plural } from '../rules/words.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Failed, Skeleton } from '../ui/notice.tsx';
import { Panel, Rows } from '../ui/panel.tsx';
import { ShapeMark } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import style from './customer-overview.module.css';

interface Need {
  mark: Pick<Sign, 'shape' | 'tone'>;
  title: ReactNode;
  detail?: ReactNode;
  when?: ReactNode;
  to: string;
  /** The row whose dialog opens there. */
  open?: string;
  action: string;
}

const WAITS = { shape: 'diamond', tone: 'wait' } as const;

/** Only what a person of the tenant has to do for this customer. */
export function CustomerNeeds({ customer_id }: { customer_id: string }) {
  const first = { customer_id, per_page: 1 };
  const talks = useRead('list_conversations', { query: { ...first, mode: 'human', unanswered: true } });
  const calls = useRead('list_approvals', { query: { ...first, status: 'waiting', sort_by: 'expires_at' } });
  const expired = useRead('list_all_connections', { query: { ...first, status: 'expired' } });
  const hours = useRead('list_tenant_timesheets', { query: { ...first, status: 'submitted' } });
  const ending = useRead('list_all_connections', { query: { ...first, status: 'active', expiring: true } });
  const reads = [talks, calls, expired, hours, ending];
  const failed = reads.find(({ error }) => error);
  if (failed) {
    return (
      <Failed error={failed.error} retry={() => void Promise.all(reads.map(({ refetch }) => refetch()))} />
    );
  }
  if (reads.some(({ data }) => data === undefined)) return <Skeleton />;
  const base = `/customers/${customer_id}`;
  const needs = [
    conversationNeed(talks.data),
    approvalNeed(calls.data),
    expiredNeed(expired.data, base),
    timesheetNeed(hours.data, base),
    endingNeed(ending.data, base),
  ].filter((need) => need !== undefined);
  return (
    <Panel title="Waits for a person" bare={needs.length > 0}>
      {needs.length === 0 ? (
        <p className="muted">Nothing does.</p>
      ) : (
        <Rows>
          {needs.map((need) => (
            <Row key={need.to + need.action + need.open} of={need} />
          ))}
        </Rows>
      )}
    </Panel>
  );
}

const conversationNeed = (list: Result<'list_conversations'> | undefined): Need | undefined => {
  const [first] = list?.items ?? [];
  return (
    first && {
      mark: WAITS,
      title: `${visible(first.display_name ?? first.external_id)} waits for an answer`,
      detail: inAll(list?.total, 'conversations wait'),
      to: conversationPath(first.id),
      action: 'Answer',
    }
  );
};

const approvalNeed = (list: Result<'list_approvals'> | undefined): Need | undefined => {
  const [first] = list?.items ?? [];
  return (
    first && {
      mark: WAITS,
      title: (
        <>
          <code className="mono">{visible(first.tool)}</code> waits for approval
        </>
      ),
      detail: inAll(list?.total, 'calls wait'),
      when: <Time at={first.expires_at} as="left" />,
      to: approvalPath(first.id),
      action: 'Decide',
    }
  );
};

const expiredNeed = (list: Result<'list_all_connections'> | undefined, base: string): Need | undefined => {
  const [first] = list?.items ?? [];
  return (
    first && {
      mark: { shape: 'triangle', tone: 'bad' },
      title: `The connection ${visible(first.name ?? first.provider)} has expired`,
      detail: first.last_error ? visible(first.last_error) : inAll(list?.total, 'connections have expired'),
      to: `${base}/connections`,
      open: first.id,
      action: 'Renew',
    }
  );
};

const timesheetNeed = (list: Result<'list_tenant_timesheets'> | undefined, base: string): Need | undefined =>
  list && list.total > 0
    ? {
        mark: WAITS,
        title: plural(list.total, 'timesheet waits for a decision', 'timesheets wait for a decision'),
        to: `${base}/timesheets`,
        action: 'Review',
      }
    : undefined;

const endingNeed = (list: Result<'list_all_connections'> | undefined, base: string): Need | undefined => {
  const [first] = list?.items ?? [];
  return (
    first && {
      mark: { shape: 'ring', tone: 'off' },
      title: `The connection ${visible(first.name ?? first.provider)} will expire`,
      detail: inAll(list?.total, 'connections will expire'),
      when: first.expires_at && <Time at={first.expires_at} as="left" />,
      to: `${base}/connections`,
      open: first.id,
      action: 'Renew',
    }
  );
};

const inAll = (total = 0, many: string) => (total > 1 ? `${total} ${many}` : undefined);

const Row = ({ of: { mark, title, detail, when, to, open, action } }: { of: Need }) => (
  <li className={style.need} data-row>
    <ShapeMark {...mark} />
    <span className={style.words}>
      <span>{title}</span>
      {detail && <span className="hint">{detail}</span>}
    </span>
    <span className={`hint ${style.when}`}>{when}</span>
    <ButtonLink small to={to} search={{ open }}>
      {action}
    </ButtonLink>
  </li>
);

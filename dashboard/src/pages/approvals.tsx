import type { Approval, ApprovalStatus } from '@agent-control-plane/sdk';
import { getRouteApi, Link, Outlet, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useRead } from '../queries.ts';
import { signOf } from '../rules/status.ts';
import { visible } from '../rules/visible-text.ts';
import { Answered } from '../ui/answered.tsx';
import { useHeld } from '../ui/held.ts';
import { Empty } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { ShapeMark } from '../ui/status.tsx';
import { Fresh, Pager } from '../ui/table.tsx';
import { Tab, Tabs } from '../ui/tabs.tsx';
import { Time } from '../ui/time.tsx';
import style from './approvals.module.css';

const route = getRouteApi('/inside/approvals');

const VIEWS: Record<ApprovalStatus, { words: string; none: string }> = {
  waiting: { words: 'Waiting', none: 'No call waits for a person.' },
  approved: { words: 'Approved', none: 'No call was approved yet.' },
  rejected: { words: 'Rejected', none: 'No call was rejected.' },
  expired: { words: 'Expired', none: 'No call was left until its end.' },
  failed: { words: 'Failed', none: 'All approved calls were made.' },
};

const isStatus = (text: string | undefined): text is ApprovalStatus =>
  text !== undefined && Object.hasOwn(VIEWS, text);

export function Approvals() {
  const { approval_id } = useParams({ strict: false });
  const { status: named, page = 1 } = route.useSearch();
  const status = isStatus(named) ? named : 'waiting';
  const navigate = route.useNavigate();
  const list = useRead('list_approvals', {
    query: { status, page, sort_by: status === 'waiting' ? 'expires_at' : 'requested_at' },
  });
  useFirstChosen(approval_id, list.data?.items[0]?.id);
  return (
    <Page
      title="Approvals"
      sub="Calls of tools that wait for a person. The one that ends first stands first."
    >
      <Views status={status} />
      <div className={`${style.two} ${approval_id === undefined ? '' : style.open}`}>
        <div className={style.list}>
          <Answered of={list}>
            {({ items, total, per_page }) =>
              total === 0 ? (
                <None status={status} />
              ) : (
                <>
                  <List items={items} chosen={approval_id} />
                  <Pager
                    page={page}
                    perPage={per_page}
                    total={total}
                    onPage={(to) => void navigate({ to: '.', search: (old) => ({ ...old, page: to }) })}
                  />
                </>
              )
            }
          </Answered>
        </div>
        <Outlet />
      </div>
    </Page>
  );
}

/** Beside a list there is room for one: by its address, so that no other one takes its place under the pointer. */
function useFirstChosen(chosen: string | undefined, first: string | undefined) {
  const navigate = route.useNavigate();
  useEffect(() => {
    if (chosen !== undefined || first === undefined || !matchMedia('(min-width: 821px)').matches) return;
    void navigate({
      to: '/approvals/$approval_id',
      params: { approval_id: first },
      search: (old) => old,
      replace: true,
    });
  }, [chosen, first, navigate]);
}

/** Else an address without a status would be open in each view. */
const EXACTLY = { exact: true, includeSearch: true } as const;

function Views({ status }: { status: ApprovalStatus }) {
  const { data: counts } = useRead('get_overview', {});
  return (
    <Tabs label="Which calls">
      {Object.entries(VIEWS).map(([name, { words }]) => (
        <Tab
          key={name}
          to="/approvals"
          search={name === 'waiting' ? {} : { status: name }}
          aria-current={name === status ? 'page' : undefined}
          activeOptions={EXACTLY}
          n={name === 'waiting' ? counts?.waiting_approvals : undefined}
        >
          {words}
        </Tab>
      ))}
    </Tabs>
  );
}

const None = ({ status }: { status: ApprovalStatus }) => (
  <Empty
    action={
      status === 'waiting' && (
        <Link to="/approvals" search={{ status: 'approved' }} className="link">
          See what was approved
        </Link>
      )
    }
    command="agentctl approvals list"
  >
    {VIEWS[status].none}
    {status === 'waiting' && ' A recipe’s approval rules name the tools that ask first.'}
  </Empty>
);

const keyOf = ({ id }: Approval) => id;

function List({ items, chosen }: { items: readonly Approval[]; chosen: string | undefined }) {
  const { shown, waiting, release, hold } = useHeld(items, keyOf);
  return (
    <div {...hold}>
      {waiting > 0 && <Fresh n={waiting} show={release} />}
      <ul className={style.rows} aria-label="Calls">
        {shown.map((approval) => (
          <li key={approval.id}>
            <Row of={approval} isChosen={approval.id === chosen} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Row({ of, isChosen }: { of: Approval; isChosen: boolean }) {
  const { id, status, tool, expires_at, decided_at, customer_name, hostname } = of;
  const { shape, tone, word } = signOf('approval', status);
  return (
    <Link
      to="/approvals/$approval_id"
      params={{ approval_id: id }}
      search={(old) => old}
      className={style.row}
      aria-current={isChosen ? 'true' : undefined}
      activeProps={{ 'aria-current': 'true' }}
      data-row
    >
      <ShapeMark shape={shape} tone={tone} size={9} />
      <span className="mono one">
        <span className="vh">{word}: </span>
        {visible(tool)}
      </span>
      <span className="hint num">
        {status === 'waiting' ? <Time at={expires_at} as="left" /> : <Time at={decided_at ?? expires_at} />}
      </span>
      <span className={`hint one ${style.where}`}>
        {customer_name && `${visible(customer_name)} · `}
        {visible(hostname)}
      </span>
    </Link>
  );
}

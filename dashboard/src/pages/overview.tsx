import type { Result } from '@agent-control-plane/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useRead } from '../queries.ts';
import { clock, longDay } from '../rules/time.ts';
import { count, numberWord, plural } from '../rules/words.ts';
import { Answered } from '../ui/answered.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Notice, Skeleton } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { useNow } from '../ui/time.tsx';
import style from './overview.module.css';
import { Fleet } from './overview-fleet.tsx';
import { Pulse } from './overview-pulse.tsx';
import { Spend } from './overview-spend.tsx';
import { Tasks } from './overview-tasks.tsx';
import { Wants } from './overview-wants.tsx';

const Welcome = lazy(() =>
  import('./welcome.tsx').then(({ Welcome: component }) => ({ default: component })),
);

type Counts = Result<'get_overview'>;

const route = getRouteApi('/inside/');

/** At once: what wants a person, what runs, what it costs. */
export function Overview() {
  const { notice } = route.useSearch();
  const overview = useRead('get_overview', {});
  // Once begun, the first run stays on screen: its own agent would end it.
  const [first, setFirst] = useState<'not yet' | 'shown' | 'over'>('not yet');
  if (first === 'not yet' && overview.data && isEmpty(overview.data)) setFirst('shown');
  if (first === 'shown')
    return (
      <Suspense fallback={<Skeleton />}>
        <Welcome onSkip={() => setFirst('over')} />
      </Suspense>
    );
  const wanted = overview.data?.needs.reduce((sum, { count: cases }) => sum + cases, 0);
  return (
    <Page
      title={wanted === undefined ? 'Overview' : titleOf(wanted)}
      name="Overview"
      sub={overview.data && <Sub of={overview.data} />}
      actions={<Actions />}
    >
      {notice === 'tenant' && (
        <Notice tone="act">Another tab went to another tenant, so this one begins anew.</Notice>
      )}
      <Answered of={overview}>
        {(data) => (
          <>
            <Wants needs={data.needs} />
            {data.conversations !== undefined && <Pulse />}
            <div className={style.columns}>
              <Tasks />
              {data.month && <Spend month={data.month} />}
            </div>
            <Fleet instances={data.instances} outdated={data.outdated_instances} />
          </>
        )}
      </Answered>
    </Page>
  );
}

/** Nothing was deployed yet, so there is nothing to look at. */
const isEmpty = ({ instances }: Counts) => Object.values(instances).every((n) => n === 0);

const titleOf = (wanted: number) =>
  wanted === 0
    ? 'Nothing wants a person'
    : `${numberWord(wanted)} ${wanted === 1 ? 'thing wants' : 'things want'} a person`;

function Sub({ of: { instances, customers } }: { of: Counts }) {
  const now = useNow();
  const running = `${plural(instances.running, 'agent')} ${instances.running === 1 ? 'runs' : 'run'}`;
  return (
    <>
      {longDay(now)}, {clock(now)}. {running}
      {customers !== undefined && ` for ${count(customers)} ${customers === 1 ? 'customer' : 'customers'}`}.
    </>
  );
}

function Actions() {
  const { data: me } = useRead('get_me', {});
  if (me?.role !== 'admin') return null;
  return (
    <>
      <ButtonLink to="/customers" icon="plus">
        Customer
      </ButtonLink>
      <ButtonLink to="/deploy" look="primary">
        Deploy an agent
      </ButtonLink>
    </>
  );
}

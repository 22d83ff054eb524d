import type { OperatorOverview as Overview, ProviderState } from '@agent-control-plane/sdk';
import type { ReactNode } from 'react';
import { useOperatorRead } from '../operator.ts';
import { operatorNeeds } from '../rules/operator-needs.ts';
import { signOf } from '../rules/status.ts';
import { span } from '../rules/time.ts';
import { visible } from '../rules/visible-text.ts';
import { count, numberWord, plural, sentence } from '../rules/words.ts';
import { Answered } from '../ui/answered.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { Panel, Rows } from '../ui/panel.tsx';
import { ShapeMark, Signed } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import style from './operator-overview.module.css';

const SECOND_MS = 1000;

export function OperatorOverview() {
  const overview = useOperatorRead('get_operator_overview', {}, { isLive: true });
  const needs = overview.data ? operatorNeeds(overview.data) : [];
  const title =
    needs.length === 0
      ? 'The service is well'
      : `${numberWord(needs.length)} ${needs.length === 1 ? 'thing wants' : 'things want'} the operator`;
  return (
    <Page
      title={overview.data ? title : 'Overview'}
      name="Overview · Operator"
      sub={
        overview.data && (
          <span>
            {plural(overview.data.tenants, 'tenant')} on {plural(overview.data.hosts.alive, 'host')}, version{' '}
            {overview.data.version}
          </span>
        )
      }
    >
      <Answered of={overview}>
        {(data) => (
          <div className={style.page}>
            {needs.length > 0 && <Needs of={needs} />}
            <Figures of={data} />
            <div className={style.columns}>
              <Queues of={data} />
              <Providers of={data.providers} />
            </div>
          </div>
        )}
      </Answered>
    </Page>
  );
}

const Needs = ({ of }: { of: ReturnType<typeof operatorNeeds> }) => (
  <Panel label="Wants the operator" bare>
    <Rows>
      {of.map(({ title, detail, to, status, tone }) => (
        <li key={title} className={style.need}>
          <ShapeMark shape={tone === 'bad' ? 'triangle' : 'diamond'} tone={tone} />
          <span>
            <span className="strong">{visible(title)}</span>
            <span className={`hint ${style.under}`}>{visible(detail)}</span>
          </span>
          {to && (
            <ButtonLink small to={to} search={status === undefined ? {} : { status }}>
              Look<span className="vh"> where {visible(title)}</span>
            </ButtonLink>
          )}
        </li>
      ))}
    </Rows>
  </Panel>
);

const STATES = ['running', 'pending', 'provisioning', 'stopped', 'failed', 'terminating'] as const;

function Figures({
  of: { instances, messages, oldest_message_seconds: oldest, tenants, database },
}: {
  of: Overview;
}) {
  const all = STATES.reduce((sum, state) => sum + instances[state], 0);
  const waiting = messages.pending + messages.queued;
  return (
    <dl className={style.figures}>
      <Figure name="Agents" value={count(all)}>
        {STATES.filter((state) => instances[state] > 0).map((state) => (
          <Signed key={state} sign={signOf('instance', state)}>
            {count(instances[state])} {signOf('instance', state).word}
          </Signed>
        ))}
      </Figure>
      <Figure name="Messages that wait" value={count(waiting)}>
        {oldest > 0 ? `The oldest for ${span(oldest * SECOND_MS)}` : 'None waits for an agent'}
      </Figure>
      <Figure name="Tenants" value={count(tenants)}>
        Also those that are switched off
      </Figure>
      <Figure name="Database" value={sentence(database)}>
        {database === 'ok' ? 'It answers, and takes writes' : 'See above'}
      </Figure>
    </dl>
  );
}

const Figure = ({ name, value, children }: { name: string; value: string; children: ReactNode }) => (
  <div>
    <dt className="hint">{name}</dt>
    <dd className={style.value}>{value}</dd>
    <dd className={`hint ${style.more}`}>{children}</dd>
  </div>
);

function Queues({ of: { queues } }: { of: Overview }) {
  const kinds = Object.entries(queues).toSorted(([, a], [, b]) => b.oldest_seconds - a.oldest_seconds);
  return (
    <Panel title="Jobs that are due" bare={kinds.length > 0}>
      {kinds.length === 0 ? (
        <p className="muted">None waits: each is worked on as soon as it is due.</p>
      ) : (
        <Rows>
          {kinds.map(([kind, { depth, oldest_seconds }]) => (
            <li key={kind} className={style.row}>
              <span className="mono">{kind}</span>
              <span className="num">{count(depth)}</span>
              <span className="hint">due for {span(oldest_seconds * SECOND_MS)}</span>
            </li>
          ))}
        </Rows>
      )}
    </Panel>
  );
}

const Providers = ({ of }: { of: readonly ProviderState[] }) => (
  <Panel title="Model providers" bare={of.length > 0}>
    {of.length === 0 ? (
      <p className="muted">None was used yet.</p>
    ) : (
      <Rows>
        {of.map(({ slug, ok, at, error }) => (
          <li key={slug} className={style.row}>
            <span className="mono">{visible(slug)}</span>
            {ok ? (
              <Signed sign={{ word: 'answers', shape: 'disc', tone: 'good' }} />
            ) : (
              <Signed sign={{ word: 'fails', shape: 'triangle', tone: 'bad' }} />
            )}
            <span className="hint">{error ? visible(error) : <Time at={at} as="when" />}</span>
          </li>
        ))}
      </Rows>
    )}
  </Panel>
);

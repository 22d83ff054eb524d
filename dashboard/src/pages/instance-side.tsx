import type { InstanceDetail } from '@agent-control-plane/sdk';
import { Link } from '@tanstack/react-router';
import { useRead } from '../queries.ts';
import { runtimeTrouble, runtimeWords } from '../rules/runtime-words.ts';
import { took } from '../rules/time.ts';
import { plural } from '../rules/words.ts';
import { Answered } from '../ui/answered.tsx';
import { Trace } from '../ui/chart.tsx';
import { Facts, Panel } from '../ui/panel.tsx';
import { Time } from '../ui/time.tsx';
import frame from './instance-frame.module.css';
import { LogTail } from './instance-log-tail.tsx';
import style from './instance-timeline.module.css';
import { useInstance, useIsAdmin } from './use-instance.ts';

/** Beside the timeline: how it does, the last lines of its log, and what comes next. */
export function InstanceSide() {
  const { data } = useInstance();
  const isAdmin = useIsAdmin();
  if (!data) return <div />;
  const isLive = data.status !== 'terminated';
  return (
    <div className={frame.stack}>
      {data.status === 'running' && <Answers instance_id={data.id} />}
      {isLive && isAdmin && <LogTail instance_id={data.id} />}
      <Panel title="Runtime">
        <Facts
          of={[
            ['State', runtimeWords(data.runtime)],
            data.runtime.reason !== null && ['Why', runtimeTrouble(data.runtime)],
            sleepOf(data),
            ['Since', <Time key="since" at={data.runtime.since} as="when" />],
            data.tunnel_address !== null && [
              'Address',
              <span key="address" className="mono">
                {data.tunnel_address}
              </span>,
            ],
            ['Made', <Time key="made" at={data.created_at} as="when" />],
            [
              'Id',
              <span key="id" className="mono">
                {data.id}
              </span>,
            ],
          ]}
        />
      </Panel>
      {isLive && data.status !== 'failed' && <Then of={data} isAdmin={isAdmin ?? false} />}
    </div>
  );
}

/** As its configuration says. */
function sleepOf({ resolved_config: { idle_minutes } }: InstanceDetail) {
  return typeof idle_minutes === 'number'
    ? (['Sleeps', `after ${plural(idle_minutes, 'minute')} without a message`] as const)
    : false;
}

function Answers({ instance_id }: { instance_id: string }) {
  const activity = useRead('get_activity', { query: { instance_id, hours: 24 } });
  return (
    <Panel title="Last 24 hours">
      <Answered of={activity}>
        {({ items, answer_seconds_p50 }) => {
          const received = items.reduce((sum, item) => sum + item.received, 0);
          return (
            <div className={style.trace}>
              <Trace ticks={items} label="Answers in the last 24 hours" short />
              <p className="hint">
                {received === 0 ? 'Nobody has written.' : `${plural(received, 'message')} came in.`}
                {answer_seconds_p50 !== null &&
                  ` Half were answered within ${took(answer_seconds_p50 * 1000)}.`}
              </p>
            </div>
          );
        }}
      </Answered>
    </Panel>
  );
}

const CHANNELS: string = '/channels';

const Then = ({ of, isAdmin }: { of: InstanceDetail; isAdmin: boolean }) => (
  <section aria-label="Then">
    <h2>Then</h2>
    <ol className={style.then}>
      <li>
        <span>
          <Link to="/instances/$instance_id/talk" params={{ instance_id: of.id }} className="link">
            Talk to it here
          </Link>
          <span className="hint">No phone is needed.</span>
        </span>
      </li>
      {isAdmin && (
        <li>
          <span>
            <Link to={CHANNELS} className="link">
              Connect a number
            </Link>
            <span className="hint">The address for the channel’s console is ready to copy.</span>
          </span>
        </li>
      )}
      {isAdmin && of.customer_id !== null && (
        <li>
          <span>
            <Link to={staffPath(of.customer_id)} className="link">
              Add its people
            </Link>
            <span className="hint">From a CSV file, 200 rows at a time.</span>
          </span>
        </li>
      )}
    </ol>
  </section>
);

const staffPath = (customer_id: string): string => `/customers/${customer_id}/staff`;

import type { TenantLimit } from '@agent-control-plane/sdk';
import { useRead } from '../queries.ts';
import { amount, LIMITS } from '../rules/limits.ts';
import { Answered } from '../ui/answered.tsx';
import { Meter, NEAR } from '../ui/chart.tsx';
import { Panel, Rows } from '../ui/panel.tsx';
import style from './settings-limits.module.css';

export function SettingsLimits() {
  const limits = useRead('list_limits', {});
  return (
    <>
      <p className={`muted ${style.about}`}>
        How much there is of each, of the most that the operator allows. Whoever runs the service raises them.
      </p>
      <Answered of={limits}>
        {({ items }) => (
          <Panel label="Limits" bare>
            <Rows>
              {items.map((each) => (
                <Row key={each.name} of={each} />
              ))}
            </Rows>
          </Panel>
        )}
      </Answered>
    </>
  );
}

function Row({ of: { name, limit, used } }: { of: TenantLimit }) {
  const words = LIMITS[name];
  const share = limit === null || used === null ? undefined : limit === 0 ? 1 : used / limit;
  return (
    <li className={style.row}>
      <span>
        <span className="strong">{words.name}</span>
        <span className={`hint ${style.under}`}>{words.about}</span>
      </span>
      <span className={style.meter}>
        {share !== undefined && <Meter share={share} label={`${words.name}, of the limit`} />}
      </span>
      <span className={`num ${style.figure} ${share !== undefined && share >= NEAR ? 'wait' : ''}`}>
        {used !== null && <span className="strong">{amount(name, used)}</span>}
        <span className="muted">
          {limit === null
            ? `${used === null ? '' : ', '}without a limit`
            : `${used === null ? 'at most' : ' of'} ${amount(name, limit)}`}
        </span>
      </span>
    </li>
  );
}

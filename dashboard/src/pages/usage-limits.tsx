import type { TenantLimit } from '@agent-control-plane/sdk';
import { Link } from '@tanstack/react-router';
import { useRead } from '../queries.ts';
import { amount, LIMITS } from '../rules/limits.ts';
import { Answered } from '../ui/answered.tsx';
import { Meter } from '../ui/chart.tsx';
import { Section } from '../ui/page.tsx';
import style from './usage.module.css';

/** As many as fit in two rows. */
const SHOWN = 6;
const ALL: string = '/settings/limits';

/** The limits that are nearest. */
export function UsageLimits({ isAdmin }: { isAdmin: boolean }) {
  const limits = useRead('list_limits', {});
  return (
    <Section
      title="Limits of the tenant"
      aside={
        isAdmin && (
          <Link to={ALL} className="link hint">
            All limits
          </Link>
        )
      }
    >
      <Answered of={limits}>
        {({ items }) => (
          <ul className={style.limits}>
            {nearest(items).map(({ name, limit, used, share }) => (
              <li key={name}>
                <p>
                  {LIMITS[name].name}{' '}
                  <span className="num">
                    {amount(name, used)} <span className="muted">of {amount(name, limit)}</span>
                  </span>
                </p>
                <Meter share={share} label={`${LIMITS[name].name}, of the limit`} />
              </li>
            ))}
          </ul>
        )}
      </Answered>
    </Section>
  );
}

const nearest = (items: readonly TenantLimit[]) =>
  items
    .flatMap(({ name, limit, used }) =>
      limit === null || used === null ? [] : [{ name, limit, used, share: limit === 0 ? 1 : used / limit }],
    )
    .toSorted((a, b) => b.share - a.share)
    .slice(0, SHOWN);

import { visible } from '../rules/visible-text.ts';
import { type Need, wantOf } from '../rules/wants.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Panel, Rows } from '../ui/panel.tsx';
import { ShapeMark } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import style from './overview.module.css';

/** The most urgent case of each kind, and one button. */
export function Wants({ needs }: { needs: readonly Need[] }) {
  if (needs.length === 0) return null;
  return (
    <Panel label="What wants a person" bare>
      <Rows className={style.wants}>
        {needs.map((need) => (
          <WantRow key={need.kind} need={need} />
        ))}
      </Rows>
    </Panel>
  );
}

function WantRow({ need }: { need: Need }) {
  const { shape, tone, title, detail, action, to } = wantOf(need);
  return (
    <li data-row>
      <ShapeMark shape={shape} tone={tone} />
      <div className={style.what}>
        <b className="one">{visible(title)}</b>
        {detail !== '' && <p className="hint one">{visible(detail)}</p>}
      </div>
      <span className={`hint num ${style.when}`}>
        {need.until ? <Time at={need.until} as="left" /> : need.since && <Time at={need.since} />}
      </span>
      <ButtonLink to={to} small className={style.button} aria-label={`${action}: ${title}`}>
        {action}
      </ButtonLink>
    </li>
  );
}

import type { RecipeSummary } from '@agent-control-plane/sdk';
import { Link } from '@tanstack/react-router';
import { useRead } from '../queries.ts';
import { DEPLOY_PATH, deployOf } from '../rules/names.ts';
import { visible } from '../rules/visible-text.ts';
import { plural } from '../rules/words.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Section } from '../ui/page.tsx';
import style from './recipes.module.css';

/** Templates of the platform: deployed as they are, or cloned to be changed. */
export function Gallery({ of }: { of: readonly RecipeSummary[] }) {
  const { data: me } = useRead('get_me', {});
  if (of.length === 0) return null;
  return (
    <Section
      title="Of the platform"
      aside={<span className="hint">Deploy one as it is, or clone it to change it</span>}
    >
      <ul className={style.gallery}>
        {of.map(({ id, name, description, live_instances }) => (
          <li key={id} className={style.card} data-row>
            <h3>
              <Link to="/recipes/$recipe_id/edit" params={{ recipe_id: id }}>
                {visible(name)}
              </Link>
            </h3>
            <p className="muted">{description && visible(description)}</p>
            <footer>
              <span className="hint">{live_instances > 0 ? plural(live_instances, 'agent') : ''}</span>
              <ButtonLink small look="plain" from="/recipes" to="." search={{ begin: 'new', from: id }}>
                Clone<span className="vh"> {visible(name)}</span>
              </ButtonLink>
              {me?.role === 'admin' && (
                <ButtonLink small to={DEPLOY_PATH} search={deployOf(id)}>
                  Deploy<span className="vh"> {visible(name)}</span>
                </ButtonLink>
              )}
            </footer>
          </li>
        ))}
      </ul>
    </Section>
  );
}

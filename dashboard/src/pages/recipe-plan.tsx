import type { Recipe, RecipeCreate, Violation } from '@agent-control-plane/sdk';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Draft } from '../forms/recipe-draft.ts';
import { useRead } from '../queries.ts';
import { needsOf, needWords } from '../rules/needs.ts';
import { planLines } from '../rules/plan-lines.ts';
import type { JsonObject } from '../rules/recipe-patch.ts';
import { clockSeconds } from '../rules/time.ts';
import { plural } from '../rules/words.ts';
import { Answered } from '../ui/answered.tsx';
import { Notice } from '../ui/notice.tsx';
import { Facts } from '../ui/panel.tsx';
import { useSettled } from '../ui/settled.ts';
import { HashWords, Lines } from './plan-lines.tsx';
import style from './recipe-plan.module.css';

/** Shows what an agent of the draft gets, who acts on it, and what does nothing. Nothing of it is saved. */
export function RecipePlan({ recipe, draft }: { recipe: Recipe; draft: Draft }) {
  const content = useSettled(draft.content);
  const plan = useLast(useRead('compose_recipe', { body: { recipe: created(content, recipe.name) } }));
  return (
    <aside className={style.plan} aria-label="What an agent gets">
      <header>
        <h2>What an agent gets</h2>
        <span className="hint num">
          {plan.isFetching || content !== draft.content
            ? 'checking…'
            : plan.dataUpdatedAt > 0 && `checked ${clockSeconds(plan.dataUpdatedAt)}`}
        </span>
      </header>
      <Answered of={plan}>
        {(composed) => (
          <>
            <Warnings violations={composed.violations} />
            <Lines lines={planLines(composed, draft.patch)} />
            <footer>
              <Facts
                of={[
                  ['Needs', needWords(needsOf(composed.resolved_config)) || 'no connection'],
                  ['Used by', <UsedBy key="used" recipe={recipe} />],
                  ['Plan', <HashWords key="plan" hash={composed.plan_hash} />],
                ]}
              />
            </footer>
          </>
        )}
      </Answered>
    </aside>
  );
}

/** A draft that is refused leaves the last answer where it is. */
function useLast<Read extends { data: unknown }>(read: Read): Read {
  const [last, setLast] = useState(read.data);
  if (read.data !== undefined && read.data !== last) setLast(read.data);
  return { ...read, data: read.data ?? last };
}

/** A name that is being typed may be empty for a moment, and then nothing could be composed. */
const created = ({ name, is_active: _, ...content }: JsonObject, saved: string): RecipeCreate => ({
  ...content,
  name: typeof name === 'string' && name !== '' ? name : saved,
});

const SHOWN = 3;

/** Nothing of this blocks a deploy. */
function Warnings({ violations }: { violations: readonly Violation[] }) {
  if (violations.length === 0) return null;
  const dead = violations.filter(({ code }) => code === 'unsupported').length;
  const words =
    dead === violations.length
      ? `${plural(dead, 'thing')} ${dead === 1 ? 'does' : 'do'} nothing.`
      : `${plural(violations.length, 'thing')} to look at.`;
  return (
    <div className={style.warnings}>
      <Notice tone="wait">
        <b>{words}</b>
        <ul>
          {violations.slice(0, SHOWN).map(({ path, code, message }) => (
            <li key={`${path} ${code}`}>{message}</li>
          ))}
          {violations.length > SHOWN && <li>and {violations.length - SHOWN} more</li>}
        </ul>
      </Notice>
    </div>
  );
}

const MOST = 100;

function UsedBy({ recipe }: { recipe: Recipe }) {
  const { data } = useRead('list_instances', { query: { recipe_id: recipe.id, live: true, per_page: MOST } });
  if (!data) return '…';
  if (data.total === 0) return 'no agent yet';
  const customers = new Set(data.items.map(({ customer_id }) => customer_id)).size;
  return (
    <>
      {plural(data.total, 'agent')}
      {data.total <= MOST && ` of ${plural(customers, 'customer')}`}
      {!recipe.is_platform_template && (
        <>
          . Saving changes none of them;{' '}
          <Link to="/recipes/$recipe_id/agents" params={{ recipe_id: recipe.id }} className="link">
            upgrade them afterwards
          </Link>
        </>
      )}
    </>
  );
}

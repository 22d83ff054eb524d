import type { Item, Recipe } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useId } from 'react';
import { Playground } from '../forms/playground.tsx';
import { useRead } from '../queries.ts';
import { agentPath, DEPLOY_PATH, deployOf } from '../rules/names.ts';
import { visible } from '../rules/visible-text.ts';
import { Answered } from '../ui/answered.tsx';
import { ButtonLink } from '../ui/button.tsx';
import field from '../ui/field.module.css';
import { Empty, Notice } from '../ui/notice.tsx';
import { filesOf } from './conversation-media.tsx';
import { RecipeFrame, RecipePage } from './recipe-frame.tsx';
import { RecipeActions } from './recipe-menu.tsx';
import style from './recipe-try.module.css';

type Agent = Item<'list_instances'>;

const route = getRouteApi('/inside/recipes/$recipe_id/try');

export const RecipeTry = () => (
  <RecipePage>
    {(recipe) => (
      <RecipeFrame recipe={recipe} actions={<RecipeActions recipe={recipe} />}>
        <Try recipe={recipe} />
      </RecipeFrame>
    )}
  </RecipePage>
);

/** The newest revision first: that is what somebody wants to try. */
const byRevision = (a: Agent, b: Agent) => b.recipe_revision - a.recipe_revision;

function Try({ recipe }: { recipe: Recipe }) {
  const query = { recipe_id: recipe.id, status: 'running', per_page: 100 };
  const running = useRead('list_instances', { query });
  return (
    <Answered of={running}>
      {({ items }) =>
        items.length === 0 ? (
          <NoAgent recipe={recipe} />
        ) : (
          <Talk recipe={recipe} agents={items.toSorted(byRevision)} />
        )
      }
    </Answered>
  );
}

function NoAgent({ recipe }: { recipe: Recipe }) {
  const { data: me } = useRead('get_me', {});
  const isAdmin = me?.role === 'admin';
  return (
    <Empty
      command={`agentctl deploy ${recipe.id} --customer <customer> --hostname <name> --wait`}
      action={
        isAdmin && (
          <ButtonLink to={DEPLOY_PATH} search={deployOf(recipe.id, true)}>
            Deploy one without a number
          </ButtonLink>
        )
      }
    >
      No agent of this recipe runs.{' '}
      {isAdmin ? 'One without a number answers here alone.' : 'An admin can deploy one.'}
    </Empty>
  );
}

function Talk({ recipe, agents }: { recipe: Recipe; agents: readonly Agent[] }) {
  const { agent: wanted, conversation } = route.useSearch();
  const navigate = route.useNavigate();
  const agent = agents.find(({ id }) => id === wanted) ?? agents[0];
  if (!agent) return null;
  const behind = recipe.revision - agent.recipe_revision;
  return (
    <div className={style.talk}>
      <Choose agents={agents} chosen={agent} />
      {behind > 0 && (
        <Notice tone="wait">
          This agent runs r{agent.recipe_revision}, and r{recipe.revision} is the newest.{' '}
          <Link to={agentPath(agent.id, 'upgrade')} className="link">
            Upgrade it
          </Link>
        </Notice>
      )}
      <Playground
        filesOf={filesOf}
        key={agent.id}
        instance_id={agent.id}
        conversation_id={conversation}
        onBegin={(id) =>
          void navigate({
            search: { agent: agent.id, ...(id !== undefined && { conversation: id }) },
            replace: true,
          })
        }
      />
    </div>
  );
}

function Choose({ agents, chosen }: { agents: readonly Agent[]; chosen: Agent }) {
  const id = useId();
  const navigate = route.useNavigate();
  return (
    <div className={style.choose}>
      <label htmlFor={id} className="hint">
        You write to
      </label>
      <select
        id={id}
        className={field.input}
        value={chosen.id}
        onChange={({ target }) => void navigate({ search: { agent: target.value }, replace: true })}
      >
        {agents.map(({ id: each, hostname, customer_name, recipe_revision }) => (
          <option key={each} value={each}>
            {visible(hostname)}
            {customer_name && ` of ${visible(customer_name)}`} (r{recipe_revision})
          </option>
        ))}
      </select>
    </div>
  );
}

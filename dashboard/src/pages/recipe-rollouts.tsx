import type { Item, Recipe } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { RolloutStartForm } from '../forms/rollout-start.tsx';
import { useRead } from '../queries.ts';
import { becauseWords } from '../rules/rollout-words.ts';
import { signOf } from '../rules/status.ts';
import { visible } from '../rules/visible-text.ts';
import { Answered } from '../ui/answered.tsx';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/notice.tsx';
import { Signed } from '../ui/status.tsx';
import { type Column, Pager, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { RecipeFrame, RecipePage } from './recipe-frame.tsx';

type Row = Item<'list_rollouts'>;

const route = getRouteApi('/inside/recipes/$recipe_id/rollouts');
const UNDER_WAY: readonly Row['status'][] = ['running', 'paused', 'rolling_back'];

export const RecipeRollouts = () => <RecipePage>{(recipe) => <Rollouts recipe={recipe} />}</RecipePage>;

const COLUMNS: readonly Column<Row>[] = [
  {
    name: 'Rollout',
    cell: ({ id: rollout_id, recipe_id, revision, created_at }) => (
      <Link
        to="/recipes/$recipe_id/rollouts/$rollout_id"
        params={{ recipe_id, rollout_id }}
        className="strong"
      >
        <span className="mono">r{revision}</span>, <Time at={created_at} as="when" />
      </Link>
    ),
  },
  { name: 'State', cell: (row) => <RolloutState of={row} /> },
  {
    name: 'Agents',
    priority: 2,
    cell: ({ counts }) => (
      <span className="num">
        {counts.upgraded} of {Object.values(counts).reduce((sum, count) => sum + count, 0)} upgraded
      </span>
    ),
  },
  {
    name: 'By',
    priority: 3,
    cell: ({ created_by }) => (
      <span className="muted">{created_by?.name ? visible(created_by.name) : 'not known'}</span>
    ),
  },
];

/** With why it stopped. */
export function RolloutState({ of }: { of: Row }) {
  const sign = signOf('rollout', of.status);
  const why = becauseWords(of);
  return (
    <Signed sign={sign}>
      {sign.word}
      {why !== '' && `: ${why}`}
    </Signed>
  );
}

function Rollouts({ recipe }: { recipe: Recipe }) {
  const { page = 1, begin } = route.useSearch();
  const navigate = route.useNavigate();
  const path = { template_id: recipe.id };
  const list = useRead('list_rollouts', { path, query: { page } });
  const isUnderWay = list.data?.items.some(({ status }) => UNDER_WAY.includes(status)) ?? false;
  const open = (to: 'new' | undefined) => void navigate({ search: { begin: to }, replace: true });
  const button = (
    <Button look="primary" disabled={isUnderWay} onClick={() => open('new')}>
      Roll out
    </Button>
  );
  return (
    <RecipeFrame recipe={recipe} actions={list.data && list.data.total > 0 ? button : undefined}>
      {isUnderWay && <p className="hint">One is under way; the next can begin when it has ended.</p>}
      <Answered of={list}>
        {({ items, per_page, total }) =>
          total === 0 ? (
            <Empty command={`agentctl recipes rollout ${recipe.id}`} action={button}>
              No revision was rolled out yet. A rollout upgrades the agents in batches, stops by itself where
              something breaks, and can be taken back.
            </Empty>
          ) : (
            <>
              <Table label="Rollouts" rows={items} columns={COLUMNS} keyOf={({ id }) => id} />
              <Pager
                page={page}
                perPage={per_page}
                total={total}
                onPage={(to) => void navigate({ search: { page: to } })}
              />
            </>
          )
        }
      </Answered>
      {begin === 'new' && (
        <RolloutStartForm
          recipe={recipe}
          onClose={() => open(undefined)}
          onBegun={(rollout_id) =>
            void navigate({
              to: '/recipes/$recipe_id/rollouts/$rollout_id',
              params: { recipe_id: recipe.id, rollout_id },
            })
          }
        />
      )}
    </RecipeFrame>
  );
}

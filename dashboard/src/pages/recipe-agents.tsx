import type { Item, Recipe } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useRead } from '../queries.ts';
import { agentPath, DEPLOY_PATH, deployOf } from '../rules/names.ts';
import { visible } from '../rules/visible-text.ts';
import { Answered } from '../ui/answered.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/notice.tsx';
import { Signed, Status } from '../ui/status.tsx';
import { type Column, Pager, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import style from './recipe-frame.module.css';
import { RecipeFrame, RecipePage } from './recipe-frame.tsx';
import { RecipeActions } from './recipe-menu.tsx';

type Row = Item<'list_instances'>;

const route = getRouteApi('/inside/recipes/$recipe_id/agents');

export const RecipeAgents = () => (
  <RecipePage>
    {(recipe) => (
      <RecipeFrame recipe={recipe} actions={<RecipeActions recipe={recipe} />}>
        <Agents recipe={recipe} />
      </RecipeFrame>
    )}
  </RecipePage>
);

const behindOf = ({ recipe_revision, latest_revision }: Row) =>
  Math.max(0, (latest_revision ?? 0) - recipe_revision);

const COLUMNS: readonly Column<Row>[] = [
  {
    name: 'Agent',
    cell: ({ id, hostname }) => (
      <Link to={agentPath(id)} className="mono strong">
        {visible(hostname)}
      </Link>
    ),
  },
  { name: 'Customer', priority: 2, cell: ({ customer_name }) => customer_name && visible(customer_name) },
  { name: 'State', priority: 2, cell: ({ status }) => <Status of="instance" is={status} /> },
  { name: 'Revision', cell: (row) => <Revision row={row} /> },
  { name: 'Since', priority: 3, cell: ({ created_at }) => <Time at={created_at} /> },
  {
    name: '',
    end: true,
    cell: (row) =>
      behindOf(row) > 0 && (
        <ButtonLink small to={agentPath(row.id, 'upgrade')}>
          Upgrade<span className="vh"> {visible(row.hostname)}</span>
        </ButtonLink>
      ),
  },
];

function Revision({ row }: { row: Row }) {
  const behind = behindOf(row);
  return (
    <span className={style.behind}>
      <span className="mono">r{row.recipe_revision}</span>
      {behind > 0 ? (
        <Signed sign={{ word: '', shape: 'diamond', tone: 'wait' }}>{behind} behind</Signed>
      ) : (
        <span className="hint">newest</span>
      )}
    </span>
  );
}

function Agents({ recipe }: { recipe: Recipe }) {
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: me } = useRead('get_me', {});
  const list = useRead('list_instances', { query: { recipe_id: recipe.id, live: true, page } });
  return (
    <Answered of={list}>
      {({ items, per_page, total }) =>
        total === 0 ? (
          <Empty
            command={`agentctl deploy ${recipe.id} --customer <customer> --hostname <name>`}
            action={
              me?.role === 'admin' && (
                <ButtonLink to={DEPLOY_PATH} search={deployOf(recipe.id)}>
                  Deploy one
                </ButtonLink>
              )
            }
          >
            No agent runs by this recipe.
          </Empty>
        ) : (
          <>
            <p className={`hint ${style.note}`}>
              A new revision changes no agent. Each is upgraded by itself, and shows first what would change;
              a{' '}
              <Link to="/recipes/$recipe_id/rollouts" params={{ recipe_id: recipe.id }} className="link">
                rollout
              </Link>{' '}
              upgrades all of them in batches.
            </p>
            <Table label="Agents of the recipe" rows={items} columns={COLUMNS} keyOf={({ id }) => id} />
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
  );
}

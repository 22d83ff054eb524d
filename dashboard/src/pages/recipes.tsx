import type { Recipe, RecipeSummary } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { RecipeCapture } from '../forms/recipe-capture.tsx';
import { RecipeCreate } from '../forms/recipe-create.tsx';
import { useRead } from '../queries.ts';
import { visible } from '../rules/visible-text.ts';
import { count } from '../rules/words.ts';
import { Answered } from '../ui/answered.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/notice.tsx';
import { Page, Section } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Signed } from '../ui/status.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import { Gallery } from './recipe-gallery.tsx';
import style from './recipes.module.css';

const isSummary = (row: Recipe | RecipeSummary): row is RecipeSummary => 'live_instances' in row;

const COLUMNS: readonly Column<RecipeSummary>[] = [
  {
    name: 'Name',
    cell: ({ id, name, is_active }) => (
      <>
        <Link to="/recipes/$recipe_id/edit" params={{ recipe_id: id }} className="strong">
          {visible(name)}
        </Link>
        {!is_active && <span className="hint"> not deployed any more</span>}
      </>
    ),
  },
  {
    name: 'What it is for',
    priority: 3,
    cell: ({ description }) => (
      <span className={`muted ${style.what}`}>{description && visible(description)}</span>
    ),
  },
  { name: 'Revision', cell: ({ revision }) => <span className="mono">r{revision}</span> },
  { name: 'Agents', cell: (row) => <Agents row={row} /> },
  { name: 'Changed', priority: 2, cell: ({ updated_at }) => <Time at={updated_at} /> },
];

const Agents = ({ row: { live_instances, outdated_instances } }: { row: RecipeSummary }) => (
  <span className={style.agents}>
    <span className="num">{count(live_instances)}</span>
    {outdated_instances > 0 && (
      <Signed sign={{ word: '', shape: 'diamond', tone: 'wait' }}>{count(outdated_instances)} behind</Signed>
    )}
  </span>
);

const route = getRouteApi('/inside/recipes');

/** Templates stand first: most recipes begin as one of the platform's. */
export function Recipes() {
  const { search, begin, from } = route.useSearch();
  const navigate = route.useNavigate();
  const query = { view: 'summary', ...(search !== undefined && { search }) } as const;
  const list = useRead('list_recipes', { query });
  const find = useCallback(
    (words: string) => void navigate({ search: words === '' ? {} : { search: words }, replace: true }),
    [navigate],
  );
  const close = () => void navigate({ search: search === undefined ? {} : { search }, replace: true });
  return (
    <Page
      title="Recipes"
      actions={
        <>
          <ButtonLink from="/recipes" to="." search={{ begin: 'agent' }}>
            Save from an agent
          </ButtonLink>
          <ButtonLink from="/recipes" to="." search={{ begin: 'new' }} look="primary" icon="plus">
            New recipe
          </ButtonLink>
        </>
      }
    >
      <Toolbar>
        <SearchField label="Search recipes" value={search ?? ''} onSearch={find} />
      </Toolbar>
      <Answered of={list}>
        {(rows) => {
          const recipes = rows.filter(isSummary);
          return (
            <>
              <Gallery of={recipes.filter((row) => row.is_platform_template)} />
              <Own recipes={recipes.filter((row) => !row.is_platform_template)} search={search} />
            </>
          );
        }}
      </Answered>
      {begin === 'new' && <RecipeCreate from={from} onClose={close} />}
      {begin === 'agent' && <RecipeCapture instance_id={from} onClose={close} />}
    </Page>
  );
}

const Own = ({ recipes, search }: { recipes: readonly RecipeSummary[]; search: string | undefined }) => (
  <Section title="Your own">
    {recipes.length > 0 ? (
      <Table label="Your own recipes" rows={recipes} columns={COLUMNS} keyOf={({ id }) => id} />
    ) : search === undefined ? (
      <Empty
        command="agentctl recipes apply -f recipe.yaml"
        action={
          <ButtonLink from="/recipes" to="." search={{ begin: 'new' }}>
            Begin one
          </ButtonLink>
        }
      >
        You have no recipe of your own yet. Clone one of the platform’s, or begin with nothing.
      </Empty>
    ) : (
      <Empty
        action={
          <ButtonLink from="/recipes" to="." search={{}}>
            Show all
          </ButtonLink>
        }
      >
        None of your recipes has these words.
      </Empty>
    )}
  </Section>
);

import type { Recipe, RecipeRevision } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useRead } from '../queries.ts';
import { contentOf, fieldWords } from '../rules/recipe-content.ts';
import { patchBetween } from '../rules/recipe-patch.ts';
import { visible } from '../rules/visible-text.ts';
import { listed } from '../rules/words.ts';
import { Answered } from '../ui/answered.tsx';
import { type Column, Pager, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { RecipeFrame, RecipePage } from './recipe-frame.tsx';
import { RecipeActions } from './recipe-menu.tsx';

const route = getRouteApi('/inside/recipes/$recipe_id/revisions');

export const RecipeRevisions = () => (
  <RecipePage>
    {(recipe) => (
      <RecipeFrame recipe={recipe} actions={<RecipeActions recipe={recipe} />}>
        <Revisions recipe={recipe} />
      </RecipeFrame>
    )}
  </RecipePage>
);

interface Row extends RecipeRevision {
  /** The revision before, where it is known. */
  before: RecipeRevision | undefined;
}

const COLUMNS: readonly Column<Row>[] = [
  {
    name: 'Revision',
    cell: ({ recipe_id, revision }) => (
      <Link
        to="/recipes/$recipe_id/revisions/$revision"
        params={{ recipe_id, revision: String(revision) }}
        className="mono strong"
      >
        r{revision}
      </Link>
    ),
  },
  { name: 'What changed', cell: (row) => changeWords(row) },
  {
    name: 'By',
    priority: 2,
    cell: ({ created_by }) => (
      <span className="muted">{created_by?.name ? visible(created_by.name) : 'not known'}</span>
    ),
  },
  { name: 'When', cell: ({ created_at }) => <Time at={created_at} as="when" /> },
];

function changeWords({ revision, before, ...content }: Row): string {
  if (revision === 1) return 'Begun';
  if (!before) return '—';
  const patch = patchBetween(contentOf(before), contentOf({ revision, ...content }));
  const names = Object.keys(patch).map(fieldWords);
  return names.length === 0 ? 'Nothing that an agent gets' : listed(names);
}

function Revisions({ recipe }: { recipe: Recipe }) {
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const path = { template_id: recipe.id };
  const list = useRead('list_recipe_revisions', { path, query: { page } });
  const last = list.data?.items.at(-1)?.revision ?? 1;
  const before = useRead(
    'get_recipe_revision',
    { path: { ...path, revision: Math.max(1, last - 1) } },
    { enabled: last > 1 },
  );
  return (
    <Answered of={list}>
      {({ items, per_page, total }) => (
        <>
          <Table
            label="Revisions"
            rows={items.map(
              (row, at): Row => ({ ...row, before: items[at + 1] ?? (last > 1 ? before.data : undefined) }),
            )}
            columns={COLUMNS}
            keyOf={({ revision }) => String(revision)}
          />
          <Pager
            page={page}
            perPage={per_page}
            total={total}
            onPage={(to) => void navigate({ search: { page: to } })}
          />
        </>
      )}
    </Answered>
  );
}

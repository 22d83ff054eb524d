import type { Primitive } from '@agent-control-plane/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { PrimitiveCreateForm } from '../forms/primitive-create.tsx';
import { useRead, useWrite } from '../queries.ts';
import { KINDS, kindOf, kindWords } from '../rules/primitive-kinds.ts';
import { visible } from '../rules/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Listed } from '../ui/listed.tsx';
import { Empty } from '../ui/notice.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { SelectFilter } from '../ui/select-filter.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { say } from '../ui/toast.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import style from './settings.module.css';

const COLUMNS: readonly Column<Primitive>[] = [
  {
    name: 'Primitive',
    cell: ({ slug, display_name }) => (
      <>
        {display_name && <span className="strong">{visible(display_name)}</span>}
        <code className={`mono ${display_name ? `muted ${style.under}` : ''}`}>{visible(slug)}</code>
      </>
    ),
  },
  { name: 'Kind', cell: ({ kind }) => kindWords(kind) },
  { name: 'Approved', priority: 2, cell: ({ created_at }) => <Time at={created_at} as="when" /> },
];

const end = (act: (row: Primitive) => void): Column<Primitive> => ({
  name: '',
  end: true,
  cell: (row) => (
    <Button small onClick={() => act(row)}>
      Withdraw<span className="vh"> {visible(row.slug)}</span>
    </Button>
  ),
});

const route = getRouteApi('/inside/settings/settings/primitives');

export function SettingsPrimitives() {
  const { page = 1, open, search, ...query } = route.useSearch();
  const kind = kindOf(query.kind);
  const navigate = route.useNavigate();
  const [ending, setEnding] = useState<Primitive>();
  const { data: me } = useRead('get_me', {});
  const isAdmin = me?.role === 'admin';
  const list = useRead('list_primitives', {
    query: { page, per_page: 50, ...(kind && { kind }), ...(search && { search }) },
  });
  const find = useCallback(
    (words: string) =>
      void navigate({
        search: (old) => ({ ...old, search: words || undefined, page: undefined }),
        replace: true,
      }),
    [navigate],
  );
  const openAs = (what: string | undefined) => void navigate({ search: (old) => ({ ...old, open: what }) });
  return (
    <>
      <Toolbar
        actions={
          isAdmin && (
            <Button look="primary" icon="plus" onClick={() => openAs('new')}>
              Primitive
            </Button>
          )
        }
      >
        <SearchField label="Search by name" value={search ?? ''} onSearch={find} />
        <SelectFilter
          label="Kind"
          value={kind ?? ''}
          choices={[['', 'All kinds'], ...KINDS]}
          onChoose={(to) =>
            void navigate({ search: (old) => ({ ...old, kind: to || undefined, page: undefined }) })
          }
        />
      </Toolbar>
      <Listed
        of={list}
        rows={({ items }) => items}
        label="Primitives"
        columns={isAdmin ? [...COLUMNS, end(setEnding)] : COLUMNS}
        onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
        empty={
          <Empty action={isAdmin && <Button onClick={() => openAs('new')}>Approve one</Button>}>
            {kind || search
              ? 'No approved primitive fits.'
              : 'Nothing is approved, so no recipe of this tenant passes its check.'}
          </Empty>
        }
      />
      {open === 'new' && <PrimitiveCreateForm kind={kind} onClose={() => openAs(undefined)} />}
      {ending && <Withdrawal of={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

function Withdrawal({ of: { id, slug }, onClose }: { of: Primitive; onClose: () => void }) {
  const end = useWrite('delete_primitive', { done: () => say('The approval is withdrawn.') });
  return (
    <Confirm
      title={`Withdraw ${visible(slug)}?`}
      action="Withdraw the approval"
      run={() => end.run({ path: { primitive_id: id } })}
      onClose={onClose}
    >
      Recipes that use it cannot be deployed from then on. Agents that run go on with it.
    </Confirm>
  );
}

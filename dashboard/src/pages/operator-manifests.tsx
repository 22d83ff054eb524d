import type { OperatorManifest } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ManifestForm } from '../forms/manifest.tsx';
import { useOperatorRead } from '../operator.ts';
import { visible } from '../rules/visible-text.ts';
import { plural } from '../rules/words.ts';
import { Button } from '../ui/button.tsx';
import { Listed } from '../ui/listed.tsx';
import { Empty } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { Offered } from './offered.tsx';
import style from './operator.module.css';

const COLUMNS: readonly Column<OperatorManifest>[] = [
  {
    name: 'Manifest',
    cell: ({ id, name }) => (
      <>
        <Link from="/operator/manifests" search={(old) => ({ ...old, open: id })}>
          {visible(name)}
        </Link>
        <span className={`mono muted ${style.under}`}>{visible(id)}</span>
      </>
    ),
  },
  {
    name: 'Starts',
    priority: 2,
    cell: ({ command, image }) => {
      const started = command?.join(' ') ?? image;
      return started === null ? (
        <span className="muted">what the service comes with</span>
      ) : (
        <span className="mono">{visible(started)}</span>
      );
    },
  },
  {
    name: 'Can do',
    priority: 3,
    cell: ({ capabilities: { skills, channels } }) => (
      <span title={[...skills, ...channels].join('\n')}>
        {plural(skills.length, 'skill')}, {plural(channels.length, 'channel')}
      </span>
    ),
  },
  { name: 'State', cell: ({ is_active }) => <Offered is={is_active} /> },
  { name: 'Changed', priority: 3, cell: ({ updated_at }) => <Time at={updated_at} as="when" /> },
];

const route = getRouteApi('/operator/operator/manifests');

export function OperatorManifests() {
  const { page = 1, open } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useOperatorRead('list_operator_manifests', { query: { page, per_page: 50 } });
  const openAs = (what: string | undefined) => void navigate({ search: (old) => ({ ...old, open: what }) });
  const opened = list.data?.items.find(({ id }) => id === open);
  return (
    <Page
      title="Manifests"
      name="Manifests · Operator"
      sub="Kinds of runtimes that recipes may name, and what each can do"
      actions={
        <Button look="primary" icon="plus" onClick={() => openAs('new')}>
          Manifest
        </Button>
      }
    >
      <Listed
        of={list}
        rows={({ items }) => items}
        label="Manifests"
        columns={COLUMNS}
        onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
        empty={
          <Empty action={<Button onClick={() => openAs('new')}>Add the first</Button>}>
            There is none besides the runtime that the service comes with.
          </Empty>
        }
      />
      {(open === 'new' || opened) && <ManifestForm of={opened} onClose={() => openAs(undefined)} />}
    </Page>
  );
}

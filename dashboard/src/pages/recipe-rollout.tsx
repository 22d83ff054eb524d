import type { RolloutDetail, RolloutItem } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useRead } from '../queries.ts';
import { agentPath } from '../rules/names.ts';
import { visible } from '../rules/visible-text.ts';
import { Answered } from '../ui/answered.tsx';
import { Progress } from '../ui/chart.tsx';
import { Section } from '../ui/page.tsx';
import { Facts, Panel } from '../ui/panel.tsx';
import { Status } from '../ui/status.tsx';
import { type Column, Pager, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { RecipeFrame, RecipePage } from './recipe-frame.tsx';
import { RolloutState } from './recipe-rollouts.tsx';
import { RolloutRequests } from './rollout-requests.tsx';

const route = getRouteApi('/inside/recipes/$recipe_id/rollouts/$rollout_id');

/** Hints of tasks come at once; a pause ends without one. */
const READ_EVERY_MS = 5000;

export function RecipeRollout() {
  const { recipe_id: template_id, rollout_id } = route.useParams();
  const { page = 1 } = route.useSearch();
  const rollout = useRead(
    'get_rollout',
    { path: { template_id, rollout_id }, query: { page } },
    { every: READ_EVERY_MS },
  );
  return (
    <RecipePage>
      {(recipe) => (
        <RecipeFrame recipe={recipe} actions={rollout.data && <RolloutRequests of={rollout.data} />}>
          <Answered of={rollout}>{(data) => <Shown of={data} />}</Answered>
        </RecipeFrame>
      )}
    </RecipePage>
  );
}

const COLUMNS: readonly Column<RolloutItem>[] = [
  {
    name: 'Agent',
    cell: ({ instance_id, hostname }) => (
      <Link to={agentPath(instance_id)} className="mono strong">
        {visible(hostname)}
      </Link>
    ),
  },
  { name: 'Batch', cell: ({ batch }) => <span className="num">{batch}</span> },
  {
    name: 'From',
    priority: 2,
    cell: ({ from_revision }) => <span className="mono">r{from_revision}</span>,
  },
  { name: 'State', cell: ({ status }) => <Status of="rolloutItem" is={status} /> },
  { name: 'Why', priority: 2, cell: ({ error }) => error && <span className="muted">{visible(error)}</span> },
];

function Shown({ of }: { of: RolloutDetail }) {
  const { revision, counts, items, page, per_page, total } = of;
  const navigate = route.useNavigate();
  const done = total - counts.waiting - counts.upgrading;
  return (
    <>
      <Panel title={`Revision ${revision} for ${total === 1 ? 'one agent' : `${total} agents`}`}>
        <Progress share={total === 0 ? 1 : done / total} label={`${done} of ${total} agents`} />
        <Facts
          of={[
            ['State', <RolloutState key="state" of={of} />],
            ['Batch', `${of.batch} of ${of.batches.length} (${of.batches.join(', ')} %)`],
            ['Next batch', of.next_batch_at && <Time key="next" at={of.next_batch_at} as="left" />],
            ['Upgraded', counts.upgraded],
            counts.failed > 0 && ['Failed', counts.failed],
            counts.skipped > 0 && ['Skipped', counts.skipped],
            counts.rolled_back > 0 && ['Went back', counts.rolled_back],
            ['Begun', <Time key="begun" at={of.created_at} as="when" />],
            ['By', of.created_by?.name && visible(of.created_by.name)],
            ['Ended', of.ended_at && <Time key="ended" at={of.ended_at} as="when" />],
          ]}
        />
      </Panel>
      <Section title="Agents">
        <Table
          label="Agents of the rollout"
          rows={items}
          columns={COLUMNS}
          keyOf={({ instance_id }) => instance_id}
        />
        <Pager
          page={page}
          perPage={per_page}
          total={total}
          onPage={(to) => void navigate({ search: { page: to } })}
        />
      </Section>
    </>
  );
}

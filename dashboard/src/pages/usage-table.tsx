import { Link } from '@tanstack/react-router';
import { useRead } from '../queries.ts';
import { agentPath, customerPath } from '../rules/names.ts';
import {
  compact,
  costOf,
  type Group,
  keyOf,
  type Measure,
  measured,
  nameOf,
  sorted,
  type UsageItem,
} from '../rules/usage.ts';
import { visible } from '../rules/visible-text.ts';
import { count, plural } from '../rules/words.ts';
import { dayShort } from '../rules/zone.ts';
import { Meter } from '../ui/chart.tsx';
import { type Column, Pager, Table } from '../ui/table.tsx';
import style from './usage.module.css';

const NAMES: Record<Group, string> = {
  model: 'Model',
  customer: 'Customer',
  instance: 'Agent',
  recipe: 'Recipe',
  day: 'Day',
};
const PER_PAGE = 50;

interface UsageTableProps {
  of: { items: readonly UsageItem[]; isCut: boolean; group: Group; measure: Measure; page: number };
  onPage: (page: number) => void;
}

export function UsageTable({ of: { items, isCut, group, measure, page }, onPage }: UsageTableProps) {
  const rows = sorted(items, measure, group);
  const most = Math.max(0, ...rows.map((item) => measured(measure, item)));
  return (
    <div className={style.table}>
      <Table
        label={`Usage by ${NAMES[group].toLowerCase()}`}
        rows={rows.slice((page - 1) * PER_PAGE, page * PER_PAGE)}
        columns={columns(group, measure, most)}
        keyOf={(item) => keyOf(group, item) || 'none'}
      />
      <Pager page={page} perPage={PER_PAGE} total={rows.length} onPage={onPage} />
      {isCut && (
        <p className="hint">There are more than {count(items.length)}. Fewer days show all of them.</p>
      )}
    </div>
  );
}

const columns = (group: Group, measure: Measure, most: number): readonly Column<UsageItem>[] => [
  { name: NAMES[group], cell: (item) => <Named of={item} group={group} /> },
  {
    name: 'Share',
    priority: 2,
    cell: (item) => (
      <span className={style.share}>
        <Meter
          share={most === 0 ? 0 : measured(measure, item) / most}
          plain
          label={`${nameOf(group, item)}, of the largest`}
        />
      </span>
    ),
  },
  { name: 'Calls', end: true, priority: 2, cell: ({ calls }) => count(calls) },
  {
    name: 'Tokens in',
    end: true,
    priority: 3,
    cell: ({ input_tokens, cached_input_tokens: cached }) => (
      <span title={`${plural(input_tokens, 'token')}, of which ${count(cached)} cached`}>
        {compact(input_tokens)}
      </span>
    ),
  },
  {
    name: 'Tokens out',
    end: true,
    priority: 3,
    cell: ({ output_tokens }) => <span title={plural(output_tokens, 'token')}>{compact(output_tokens)}</span>,
  },
  { name: 'Cost', end: true, cell: (item) => <Cost of={item} /> },
];

const Cost = ({ of }: { of: UsageItem }) => (
  <>
    {costOf(of)}
    {of.unpriced_calls > 0 && of.cost !== null && (
      <span className={`hint ${style.line}`}>+ {plural(of.unpriced_calls, 'call')} without a price</span>
    )}
  </>
);

function Named({ of, group }: { of: UsageItem; group: Group }) {
  const name = group === 'day' ? dayShort(of.day ?? '') : visible(nameOf(group, of));
  const isAdmin = useRead('get_me', {}).data?.role === 'admin';
  const to = pathOf(group, of, isAdmin);
  if (to === undefined) return <bdi className={group === 'model' ? 'mono' : 'strong'}>{name}</bdi>;
  return (
    <Link to={to}>
      <bdi>{name}</bdi>
    </Link>
  );
}

/** Pages of customers are for admins. */
function pathOf(
  group: Group,
  { customer_id, instance_id, recipe_id }: UsageItem,
  isAdmin: boolean,
): string | undefined {
  if (group === 'customer' && customer_id && isAdmin) return customerPath(customer_id, 'budget');
  if (group === 'instance' && instance_id) return agentPath(instance_id);
  return group === 'recipe' && recipe_id ? `/recipes/${recipe_id}/edit` : undefined;
}

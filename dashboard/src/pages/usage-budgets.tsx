import type { Item } from '@agent-control-plane/sdk';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../queries.ts';
import { money } from '../rules/money.ts';
import { customerPath } from '../rules/names.ts';
import { compact } from '../rules/usage.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Meter } from '../ui/chart.tsx';
import { Listed } from '../ui/listed.tsx';
import { Name } from '../ui/name.tsx';
import { Empty } from '../ui/notice.tsx';
import { Section } from '../ui/page.tsx';
import type { Column } from '../ui/table.tsx';
import style from './usage.module.css';

type Budget = Item<'list_budgets'> & { id: string };

const COLUMNS: readonly Column<Budget>[] = [
  {
    name: 'Customer',
    cell: ({ customer_id, customer_name }) => (
      <Link to={customerPath(customer_id, 'budget')}>
        <Name of={customer_name ?? 'Customer'} />
      </Link>
    ),
  },
  {
    name: 'Cost of this month',
    cell: ({ monthly_cost, spent_cost }) => (
      <Spent
        of={monthly_cost === null ? undefined : Number(monthly_cost)}
        spent={Number(spent_cost)}
        format={money}
        label="Cost of the month’s limit"
      />
    ),
  },
  {
    name: 'Tokens of this month',
    priority: 2,
    cell: ({ monthly_tokens, spent_tokens }) => (
      <Spent
        of={monthly_tokens ?? undefined}
        spent={spent_tokens}
        format={compact}
        label="Tokens of the month’s limit"
      />
    ),
  },
];

interface SpentProps {
  of: number | undefined;
  spent: number;
  format: (value: number) => string;
  label: string;
}

const Spent = ({ of, spent, format, label }: SpentProps) => (
  <span className={style.spent}>
    {of !== undefined && <Meter share={of === 0 ? 1 : spent / of} label={label} />}
    <span className="num">
      {format(spent)}{' '}
      <span className="muted">{of === undefined ? 'without a limit' : `of ${format(of)}`}</span>
    </span>
  </span>
);

/** Shows what customers may spend on language models, and have spent. */
export function Budgets() {
  const [page, setPage] = useState(1);
  const list = useRead('list_budgets', { query: { page, per_page: 20 } });
  return (
    <Section title="Budgets of customers">
      <Listed
        of={list}
        rows={({ items }) => items.map((each) => ({ ...each, id: each.customer_id }))}
        label="Budgets of customers"
        columns={COLUMNS}
        onPage={setPage}
        empty={
          <Empty action={<ButtonLink to="/customers">Choose a customer</ButtonLink>}>
            No customer has a limit of its own: their agents spend what the tenant may.
          </Empty>
        }
      />
    </Section>
  );
}

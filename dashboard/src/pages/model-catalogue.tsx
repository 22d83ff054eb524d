import type { Model } from '@agent-control-plane/sdk';
import { money } from '../rules/money.ts';
import { visible } from '../rules/visible-text.ts';
import { count } from '../rules/words.ts';
import { Signed } from '../ui/status.tsx';
import { type Column, Table } from '../ui/table.tsx';
import style from './settings.module.css';

/** More are found by their letters. */
const SHOWN = 100;

const price = (cost: string | null) => (cost === null ? <span className="muted">unknown</span> : money(cost));

const COLUMNS: readonly Column<Model>[] = [
  {
    name: 'Model',
    cell: ({ display_name, model_id }) => (
      <>
        <span className="strong">{visible(display_name)}</span>
        <span className={`mono muted ${style.under}`}>{visible(model_id)}</span>
      </>
    ),
  },
  {
    name: 'Provider',
    priority: 3,
    cell: ({ provider }) => <span className="muted">{provider && visible(provider)}</span>,
  },
  {
    name: 'State',
    priority: 2,
    cell: ({ is_active, is_deprecated }) => <ModelState active={is_active} deprecated={is_deprecated} />,
  },
  {
    name: 'Context',
    priority: 3,
    end: true,
    cell: ({ context_window }) => (context_window === null ? '' : count(context_window)),
  },
  { name: 'In', end: true, cell: ({ cost_input_per_mtok }) => price(cost_input_per_mtok) },
  {
    name: 'Cached',
    priority: 2,
    end: true,
    cell: ({ cost_cached_input_per_mtok }) => price(cost_cached_input_per_mtok),
  },
  { name: 'Out', end: true, cell: ({ cost_output_per_mtok }) => price(cost_output_per_mtok) },
];

function ModelState({ active, deprecated }: { active: boolean; deprecated: boolean }) {
  if (!active) return <Signed sign={{ word: 'not for new work', shape: 'square', tone: 'off' }} />;
  if (deprecated) return <Signed sign={{ word: 'will be withdrawn', shape: 'diamond', tone: 'wait' }} />;
  return <Signed sign={{ word: 'in use', shape: 'disc', tone: 'good' }} />;
}

/** Prices are US dollars per million tokens. */
export const ModelTable = ({ of, extra }: { of: readonly Model[]; extra?: Column<Model> }) => (
  <>
    <Table
      label="Models"
      rows={of.slice(0, SHOWN)}
      columns={extra ? [...COLUMNS, extra] : COLUMNS}
      keyOf={({ id }) => id}
    />
    {of.length > SHOWN && (
      <p className="hint">
        These are {SHOWN} of {count(of.length)}. Search to see others.
      </p>
    )}
  </>
);

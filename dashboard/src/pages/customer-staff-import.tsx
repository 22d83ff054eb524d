import type { StaffFile, StaffRow } from '@agent-control-plane/sdk/files';
import { useState } from 'react';
import { useWrite } from '../queries.ts';
import {
  faultsCsv,
  faultsIn,
  inCalls,
  ROWS_OF_A_CALL,
  type RowFault,
  STAFF_EXAMPLE,
} from '../rules/staff-csv.ts';
import type { StaffReading } from '../rules/staff-reader.ts';
import { visible } from '../rules/visible-text.ts';
import { count, plural } from '../rules/words.ts';
import { Button } from '../ui/button.tsx';
import { Progress as Bar } from '../ui/chart.tsx';
import { Failed, Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { saveFile } from '../ui/save-file.ts';
import { type Column, Table } from '../ui/table.tsx';
import style from './customer-staff-import.module.css';

interface Props {
  customer_id: string;
  onDone: () => void;
}

interface Progress {
  /** Rows that are judged: by the file itself or by the service. */
  done: number;
  created: number;
  updated: number;
  faults: readonly RowFault[];
  error?: unknown;
}

/** 200 rows a call, one after the other. Rows with a fault of their own are not sent. */
function useImport(customer_id: string, file: StaffFile | undefined) {
  const call = useWrite('import_customer_staff');
  const [progress, setProgress] = useState<Progress>();
  const run = async () => {
    if (!file) return;
    const faults = faultsIn(file);
    let state: Progress = { done: faults.length, created: 0, updated: 0, faults };
    setProgress(state);
    try {
      const good = file.rows.flatMap(({ value, fault }, row) => (fault ? [] : [{ row, value }]));
      for (const rows of inCalls(good)) {
        const staff = rows.map(({ value }) => value);
        const { created, updated, errors } = await call.run({ path: { customer_id }, body: { staff } });
        const refused = errors.map(({ index, loc, msg }) => ({
          row: rows[index]?.row ?? index,
          words: `${loc.slice(3).join('.') || 'row'}: ${msg}`,
        }));
        state = {
          done: state.done + rows.length,
          created: state.created + created,
          updated: state.updated + updated,
          faults: [...state.faults, ...refused].toSorted((a, b) => a.row - b.row),
        };
        setProgress(state);
      }
    } catch (error) {
      setProgress({ ...state, error });
    }
  };
  return { progress, run, reset: () => setProgress(undefined) };
}

export function StaffImport({ customer_id, onDone }: Props) {
  const [chosen, setChosen] = useState<StaffReading & { name: string }>();
  const { progress, run, reset } = useImport(customer_id, chosen?.file);
  const choose = async (from: File | undefined) => {
    if (!from) return;
    reset();
    // Loaded with the first file.
    const { readStaff } = await import('../rules/staff-reader.ts');
    setChosen({ name: from.name, ...readStaff(new Uint8Array(await from.arrayBuffer())) });
  };
  const file = chosen?.file;
  return (
    <Panel
      title="Import people"
      aside={
        <Button small onClick={onDone}>
          Back to the list
        </Button>
      }
    >
      <div className={style.steps}>
        {!progress && <Choose onChoose={(from) => void choose(from)} />}
        {chosen?.fault !== undefined && (
          <Notice tone="bad">
            Nobody was imported from {visible(chosen.name)}: {visible(chosen.fault)}.
          </Notice>
        )}
        {file && !progress && <Preview of={file} run={() => void run()} />}
        {file && progress && <Outcome of={file} progress={progress} onDone={onDone} />}
      </div>
    </Panel>
  );
}

const Choose = ({ onChoose }: { onChoose: (file: File | undefined) => void }) => (
  <>
    <p>
      Choose a CSV file. Its first line names the columns: a name is needed, all others may be missing. Who
      has a known external_id is changed, all others are added.
    </p>
    <div className={style.row}>
      <input
        type="file"
        accept=".csv,text/csv"
        aria-label="CSV file"
        onChange={({ target }) => onChoose(target.files?.[0])}
      />
      <Button small icon="download" onClick={() => saveFile('staff-example.csv', STAFF_EXAMPLE)}>
        An example
      </Button>
    </div>
  </>
);

const SHOWN = 10;

function Preview({ of, run }: { of: StaffFile; run: () => void }) {
  const columns: Column<StaffRow>[] = of.columns.flatMap((column, at) =>
    column === undefined
      ? []
      : [
          {
            name: column,
            cell: ({ cells }: StaffRow) => visible(cells[at] ?? ''),
            ...(at > 1 && { priority: 2 as const }),
          },
        ],
  );
  const faults = faultsIn(of);
  const good = of.rows.length - faults.length;
  return (
    <>
      {faults.length > 0 && (
        <Notice tone="wait">
          {plural(faults.length, 'row', 'rows')} of the file will not be sent. Correct the file and choose it
          again, or import the others.
        </Notice>
      )}
      {faults.length > 0 && <Faults of={of} faults={faults} />}
      <Table
        label="The first rows"
        rows={of.rows.slice(0, SHOWN)}
        columns={columns}
        keyOf={({ line }) => String(line)}
      />
      <div className={style.row}>
        <Button look="primary" disabled={good === 0} onClick={run}>
          Import {plural(good, 'person', 'people')}
        </Button>
        <span className="hint">
          {of.rows.length > SHOWN && `${count(of.rows.length - SHOWN)} more rows are in the file. `}
          {good > ROWS_OF_A_CALL && `They are sent ${ROWS_OF_A_CALL} at a time.`}
        </span>
      </div>
    </>
  );
}

interface OutcomeProps {
  of: StaffFile;
  progress: Progress;
  onDone: () => void;
}

function Outcome({ of, progress, onDone }: OutcomeProps) {
  const { done, created, updated, faults, error } = progress;
  const isOver = done === of.rows.length || error !== undefined;
  const refused = new Set(faults.map(({ row }) => row)).size;
  return (
    <>
      <Bar share={of.rows.length === 0 ? 1 : done / of.rows.length} label="Rows that are done" />
      <p role="status">
        {count(done)} of {count(of.rows.length)} rows are done: {count(created)} added, {count(updated)}{' '}
        changed
        {refused > 0 && `, ${count(refused)} not taken`}.
      </p>
      {error !== undefined && <Failed error={error} />}
      {refused > 0 && <Faults of={of} faults={faults} />}
      {isOver && (
        <div className={style.row}>
          <Button look="primary" onClick={onDone}>
            See the staff
          </Button>
          {refused > 0 && (
            <Button icon="download" onClick={() => saveFile('staff-not-taken.csv', faultsCsv(of, faults))}>
              {refused === 1 ? 'Save that row as CSV' : `Save those ${count(refused)} as CSV`}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

const Faults = ({ of, faults }: { of: StaffFile; faults: readonly RowFault[] }) => {
  const name = of.columns.indexOf('name');
  const columns: Column<RowFault>[] = [
    { name: 'Line', cell: ({ row }) => of.rows[row]?.line },
    { name: 'Name', cell: ({ row }) => visible(of.rows[row]?.cells[name] ?? '') },
    { name: 'Not taken because', cell: ({ words }) => <span className="bad">{visible(words)}</span> },
  ];
  return (
    <Table
      label="Rows that were not taken"
      rows={faults.slice(0, 100)}
      columns={columns}
      keyOf={({ row, words }) => `${row} ${words}`}
    />
  );
};

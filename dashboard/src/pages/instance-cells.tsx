import type { Instance, InstanceTask } from '@agent-control-plane/sdk';
import { runtimeTrouble } from '../rules/runtime-words.ts';
import { partsOf, stepWords, taskWords } from '../rules/task-steps.ts';
import { visible } from '../rules/visible-text.ts';
import { Name } from '../ui/name.tsx';
import { Segments } from '../ui/segments.tsx';
import { Signed, Status } from '../ui/status.tsx';
import style from './instances.module.css';

/** Longer reasons stand on the agent's own page. */
const SHOWN = 90;

/** State, and why it is no better. */
export function InstanceState({ of }: { of: Pick<Instance, 'status' | 'runtime' | 'last_error'> }) {
  const reason = reasonOf(of);
  const isUnwell = of.status === 'running' && reason !== undefined;
  return (
    <span className={style.state}>
      {isUnwell ? (
        <Signed sign={{ word: 'running, unwell', shape: 'diamond', tone: 'wait' }} />
      ) : (
        <Status of="instance" is={of.status} />
      )}
      {reason !== undefined && (
        <span className={`hint ${style.reason}`} title={reason}>
          {reason.length > SHOWN ? `${reason.slice(0, SHOWN)}…` : reason}
        </span>
      )}
    </span>
  );
}

export function reasonOf({
  status,
  runtime,
  last_error,
}: Pick<Instance, 'status' | 'runtime' | 'last_error'>): string | undefined {
  if (status === 'failed') return last_error === null ? runtimeTrouble(runtime) : visible(last_error);
  return status === 'running' ? runtimeTrouble(runtime) : undefined;
}

type Revised = Pick<Instance, 'recipe_revision' | 'latest_revision' | 'template_name' | 'recipe_name'>;

export const behindOf = ({ recipe_revision, latest_revision }: Revised): number =>
  Math.max(0, (latest_revision ?? 0) - recipe_revision);

/** The revision that an agent has, and how far that is behind. */
export function Revision({ of, named = false }: { of: Revised; named?: boolean }) {
  const behind = behindOf(of);
  return (
    <span className={style.revision}>
      <span>
        {named && <Name of={of.recipe_name ?? of.template_name} />}{' '}
        <span className="mono muted">r{of.recipe_revision}</span>
      </span>
      {behind > 0 && <Signed sign={{ word: '', shape: 'diamond', tone: 'wait' }}>{behind} behind</Signed>}
    </span>
  );
}

/** A task under way, in a row. */
export function TaskInPlace({ task }: { task: InstanceTask }) {
  const words = taskWords(task.kind);
  return (
    <span className={style.task}>
      <span>
        {words}
        {task.step !== null && <span className="muted"> · {stepWords(task.step).toLowerCase()}</span>}
      </span>
      <Segments {...partsOf(task)} label={words} />
    </span>
  );
}

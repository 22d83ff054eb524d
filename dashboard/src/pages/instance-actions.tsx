import type { InstanceDetail } from '@agent-control-plane/sdk';
import { useState } from 'react';
import { useWrite } from '../queries.ts';
import { isCancelable, taskWords } from '../rules/task-steps.ts';
import { visible } from '../rules/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { refusalOf } from '../ui/notice.tsx';
import { say } from '../ui/toast.tsx';
import { InstanceEnd, InstanceRestart } from './instance-end.tsx';

/** A refusal here belongs to no field, and the state beside says what is. */
const begin = async (work: Promise<unknown>, done: string) => {
  try {
    await work;
    say(done);
  } catch (error) {
    say(refusalOf(error).words);
  }
};

/** The next thing to do as a button, and the rest behind the dots. */
export function InstanceActions({ of }: { of: InstanceDetail }) {
  const [asks, setAsks] = useState<'cancel' | 'restart' | 'stop' | 'end'>();
  const start = useWrite('start_instance');
  const retry = useWrite('retry_instance');
  const path = { instance_id: of.id };
  const again = () => void begin(retry.run({ path }), 'It goes on from the step that failed.');
  const up = () => void begin(start.run({ path }), 'It starts.');
  const isBusy = of.task !== null;
  const isOver = of.status === 'terminated' || of.status === 'terminating';
  return (
    <>
      {of.task && isCancelable(of.task) && (
        <Button onClick={() => setAsks('cancel')}>Cancel the {taskWords(of.task.kind).toLowerCase()}</Button>
      )}
      {of.status === 'failed' && !isBusy && (
        <Button onClick={again} pending={retry.pending}>
          Try again
        </Button>
      )}
      {of.status === 'stopped' && !isBusy && (
        <Button onClick={up} pending={start.pending}>
          Start
        </Button>
      )}
      {!isOver && (
        <Menu label={`Actions for ${visible(of.hostname)}`} words="Actions" icon="down" small={false}>
          {of.status === 'running' && (
            <>
              <MenuItem onSelect={() => setAsks('restart')}>Restart…</MenuItem>
              <MenuItem onSelect={() => setAsks('stop')}>Stop…</MenuItem>
            </>
          )}
          {of.status === 'stopped' && <MenuItem onSelect={up}>Start</MenuItem>}
          {of.status === 'failed' && <MenuItem onSelect={again}>Try again</MenuItem>}
          <MenuItem bad onSelect={() => setAsks('end')}>
            Terminate…
          </MenuItem>
        </Menu>
      )}
      {asks === 'cancel' && of.task && <Cancel task={of.task} onClose={() => setAsks(undefined)} />}
      {asks === 'restart' && <InstanceRestart of={of} onClose={() => setAsks(undefined)} />}
      {asks === 'stop' && <InstanceEnd of={of} how="stop" onClose={() => setAsks(undefined)} />}
      {asks === 'end' && <InstanceEnd of={of} how="terminate" onClose={() => setAsks(undefined)} />}
    </>
  );
}

const UNDONE: Partial<Record<string, string>> = {
  deploy: 'Its steps are undone, the newest first, and the agent is terminated.',
  upgrade: 'Its steps are undone, the newest first, and the agent goes on as it was.',
  restart: 'Nobody waits for the new runtime any more, but it still comes up.',
};

function Cancel({ task, onClose }: { task: NonNullable<InstanceDetail['task']>; onClose: () => void }) {
  const cancel = useWrite('cancel_task');
  const words = taskWords(task.kind).toLowerCase();
  return (
    <Confirm
      title={`Cancel the ${words}?`}
      action={`Cancel the ${words}`}
      run={() => cancel.run({ path: { task_id: task.id }, body: {} })}
      onClose={onClose}
    >
      {UNDONE[task.kind] ?? 'Its steps are undone, the newest first.'}
    </Confirm>
  );
}

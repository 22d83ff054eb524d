import type { RolloutDetail } from '@agent-control-plane/sdk';
import { useState } from 'react';
import { useWrite } from '../queries.ts';
import { requestsOf } from '../rules/rollout-words.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { refusalOf } from '../ui/notice.tsx';
import { say } from '../ui/toast.tsx';

/** The buttons that its state allows. */
export function RolloutRequests({ of }: { of: RolloutDetail }) {
  const [isGoingBack, setGoingBack] = useState(false);
  const writes = {
    pause: useWrite('pause_rollout'),
    resume: useWrite('resume_rollout'),
    stop: useWrite('stop_rollout'),
    rollback: useWrite('rollback_rollout'),
  };
  const path = { template_id: of.recipe_id, rollout_id: of.id };
  const ask = (request: keyof typeof writes) =>
    void writes[request].run({ path }).catch((error: unknown) => say(refusalOf(error).words));
  const allowed = requestsOf(of);
  return (
    <>
      {allowed.includes('stop') && (
        <Button pending={writes.stop.pending} onClick={() => ask('stop')}>
          Stop
        </Button>
      )}
      {allowed.includes('rollback') && <Button onClick={() => setGoingBack(true)}>Roll back…</Button>}
      {allowed.includes('pause') && (
        <Button look="primary" pending={writes.pause.pending} onClick={() => ask('pause')}>
          Pause
        </Button>
      )}
      {allowed.includes('resume') && (
        <Button look="primary" pending={writes.resume.pending} onClick={() => ask('resume')}>
          Resume
        </Button>
      )}
      {isGoingBack && (
        <Confirm
          title="Roll back?"
          action="Roll back"
          onClose={() => setGoingBack(false)}
          run={() => writes.rollback.run({ path })}
        >
          Each agent that this rollout upgraded gets back the revision that it had. Those that were upgraded
          again since are left as they are. The rollout cannot go on afterwards.
        </Confirm>
      )}
    </>
  );
}

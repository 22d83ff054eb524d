import type { Instance } from '@agent-control-plane/sdk';
import { useWrite } from '../queries.ts';
import { visible } from '../rules/visible-text.ts';
import { plural } from '../rules/words.ts';
import { Confirm } from '../ui/dialog.tsx';
import { say } from '../ui/toast.tsx';

type Ended = Pick<Instance, 'id' | 'hostname' | 'hosting_mode' | 'deployment_count'>;

/** The runtime of now ends first, so nobody is answered for a moment. */
export function InstanceRestart({ of, onClose }: { of: Ended; onClose: () => void }) {
  const restart = useWrite('restart_instance');
  const name = visible(of.hostname);
  return (
    <Confirm
      title={`Restart ${name}?`}
      action="Restart"
      run={() => restart.run({ path: { instance_id: of.id } }).then(() => say(`${name} restarts.`))}
      onClose={onClose}
    >
      Its runtime ends, and a new one starts with the same configuration and what its tier gives now. Messages
      wait meanwhile, and nothing is lost.
    </Confirm>
  );
}

interface InstanceEndProps {
  of: Ended;
  how: 'stop' | 'terminate';
  onClose: () => void;
}

/** Two agents may have one name, so the id stands beside it. */
export function InstanceEnd({ of, how, onClose }: InstanceEndProps) {
  const stop = useWrite('stop_instance');
  const end = useWrite('delete_instance');
  const name = visible(of.hostname);
  const path = { instance_id: of.id };
  const others = of.hosting_mode === 'shared' && of.deployment_count > 1 ? of.deployment_count : 0;
  if (how === 'stop')
    return (
      <Confirm
        title={`Stop ${name}?`}
        action="Stop"
        run={() => stop.run({ path }).then(() => say(`${name} stops.`))}
        onClose={onClose}
      >
        It answers nobody{others > 0 && ` of its ${plural(others, 'customer')}`} until it is started again.
        Messages wait meanwhile, and nothing is lost.
      </Confirm>
    );
  return (
    <Confirm
      title={`Terminate ${name}?`}
      action="Terminate for good"
      phrase={of.hostname}
      run={() => end.run({ path }).then(() => say(`${name} ends.`))}
      onClose={onClose}
    >
      <p>
        It ends for good{others > 0 && `, for all of its ${plural(others, 'customer')}`}: its runtime, its
        keys and its address. Conversations stay readable; to answer again takes a new deploy.
      </p>
      <p className="hint mono">{of.id}</p>
    </Confirm>
  );
}

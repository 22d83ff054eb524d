import type { EventEndpoint, EventEndpointWithSecret } from '@agent-control-plane/sdk';
import { useWrite } from '../queries.ts';
import { RotateForm } from './rotate.tsx';

interface Props {
  of: EventEndpoint;
  onMade: (made: EventEndpointWithSecret) => void;
  onClose: () => void;
}

export function EventSecretRotateForm({ of: { id }, onMade, onClose }: Props) {
  const rotate = useWrite('rotate_event_secret');
  return (
    <RotateForm
      title="Replace the signing secret"
      action="Make the new secret"
      label="The old secret signs as well for"
      hint="Time to give the new one to the receiver"
      overlaps={[86_400, 3600, 604_800, 0]}
      onSave={async (overlap_seconds) =>
        onMade(await rotate.run({ path: { event_endpoint_id: id }, body: { overlap_seconds } }))
      }
      onClose={onClose}
    />
  );
}

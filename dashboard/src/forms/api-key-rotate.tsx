import type { ApiKey, ApiKeyWithSecret } from '@agent-control-plane/sdk';
import { useWrite } from '../queries.ts';
import { visible } from '../rules/visible-text.ts';
import { RotateForm } from './rotate.tsx';

interface Props {
  of: ApiKey;
  onMade: (key: ApiKeyWithSecret) => void;
  onClose: () => void;
}

export function ApiKeyRotateForm({ of: { id, name }, onMade, onClose }: Props) {
  const rotate = useWrite('rotate_api_key');
  return (
    <RotateForm
      title={`Replace ${visible(name)}`}
      action="Make the new key"
      label="The old key goes on for"
      hint="Time to give the new one to its program"
      overlaps={[600, 3600, 86_400, 604_800, 0]}
      onSave={async (overlap_seconds) =>
        onMade(await rotate.run({ path: { api_key_id: id }, body: { overlap_seconds } }))
      }
      onClose={onClose}
    >
      <p>The new key has the same name, role, scopes, rate limit and end.</p>
    </RotateForm>
  );
}

import { update_pin_policy as facts } from '@agent-control-plane/fields';
import type { PinPolicy } from '@agent-control-plane/sdk';
import { useWrite } from '../queries.ts';
import { changed } from '../rules/changes.ts';
import { itemsOf } from '../rules/lists.ts';
import { visible } from '../rules/visible-text.ts';
import { AreaField, Check, type Choice, SelectField, TextField } from '../ui/field.tsx';
import { textOf } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { say } from '../ui/toast.tsx';

const AUDIENCES: readonly Choice[] = [
  ['owner', 'Owners'],
  ['customer', 'Everybody but owners'],
  ['all', 'Everybody'],
];

export function PinPolicyForm({ of, onClose }: { of: PinPolicy; onClose: () => void }) {
  const update = useWrite('update_pin_policy');
  const save = async (values: FormData) => {
    const chosen = textOf(values, 'pin_applies_to');
    const after = {
      pin_applies_to: facts.pin_applies_to.choices.find((each) => each === chosen) ?? of.pin_applies_to,
      pin_required_skills: itemsOf(textOf(values, 'pin_required_skills')),
      pin_session_ttl_minutes: Number(textOf(values, 'pin_session_ttl_minutes')),
      enforced: values.has('enforced'),
      require_sender_token: values.has('require_sender_token'),
    };
    await update.run({ path: { instance_id: of.instance_id }, body: changed(of, after) });
    say('The PIN policy is changed.');
    onClose();
  };
  return (
    <FormDialog title={`PIN policy of ${visible(of.hostname)}`} action="Save" onSave={save} onClose={onClose}>
      <AreaField
        name="pin_required_skills"
        label="Skills that ask for a PIN"
        mono
        rows={2}
        hint="One a line, as timesheet. Without one it asks nobody."
        defaultValue={of.pin_required_skills.join('\n')}
      />
      <SelectField
        name="pin_applies_to"
        label="Who is asked"
        defaultValue={of.pin_applies_to}
        choices={AUDIENCES}
      />
      <TextField
        name="pin_session_ttl_minutes"
        label="Minutes that a right PIN counts"
        type="number"
        inputMode="numeric"
        required
        defaultValue={of.pin_session_ttl_minutes}
        min={facts.pin_session_ttl_minutes.minimum}
        max={facts.pin_session_ttl_minutes.maximum}
      />
      <Check name="enforced" defaultChecked={of.enforced}>
        The service refuses those without one <span className="hint">Not the agent alone</span>
      </Check>
      <Check name="require_sender_token" defaultChecked={of.require_sender_token}>
        Internal calls need the sender’s token
      </Check>
    </FormDialog>
  );
}

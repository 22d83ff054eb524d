import type { TenantDetail, TenantLimitsUpdate } from '@agent-control-plane/sdk';
import { useOperatorRead, useOperatorWrite } from '../operator.ts';
import { isLimit, LIMITS, type LimitName } from '../rules/limits.ts';
import { visible } from '../rules/visible-text.ts';
import { Answered } from '../ui/answered.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogFoot } from '../ui/dialog.tsx';
import { Pair, TextField } from '../ui/field.tsx';
import { Form, textOrNull } from '../ui/form.tsx';
import { say } from '../ui/toast.tsx';

const NAMES = Object.keys(LIMITS).filter(isLimit);

/** Those that were changed; an empty one goes back to its default. */
function changedLimits(values: FormData, { limits }: TenantDetail): TenantLimitsUpdate {
  const entries = NAMES.map((name): [LimitName, number | null] => {
    const text = textOrNull(values, name);
    return [name, text === null ? null : Number(text)];
  });
  return Object.fromEntries(entries.filter(([name, value]) => value !== limits[name]));
}

export function TenantLimitsForm({ tenant_id, onClose }: { tenant_id: string; onClose: () => void }) {
  const tenant = useOperatorRead('get_tenant', { path: { tenant_id } });
  return (
    <Dialog title={tenant.data ? `Limits of ${visible(tenant.data.name)}` : 'Limits'} onClose={onClose} wide>
      <Answered of={tenant}>{(of) => <Fields of={of} onClose={onClose} />}</Answered>
    </Dialog>
  );
}

function Fields({ of, onClose }: { of: TenantDetail; onClose: () => void }) {
  const update = useOperatorWrite('update_tenant');
  const save = async (values: FormData) => {
    await update.run({ path: { tenant_id: of.tenant_id }, body: { limits: changedLimits(values, of) } });
    say('The limits are saved.');
    onClose();
  };
  return (
    <Form onSave={save} label="Limits">
      {(pending) => (
        <>
          <p className="hint">
            A tenant above a lowered limit keeps what it has, and gets nothing more. An emptied field goes
            back to its default.
          </p>
          <Pair>
            {NAMES.map((name) => (
              <TextField
                key={name}
                name={name}
                label={LIMITS[name].name}
                type="number"
                min={0}
                step={name === 'monthly_cost' ? 'any' : 1}
                placeholder="No limit"
                hint={name === 'stored_mib' ? `${LIMITS[name].about} (MiB)` : LIMITS[name].about}
                defaultValue={of.limits[name] ?? ''}
              />
            ))}
          </Pair>
          <DialogFoot>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" look="primary" pending={pending}>
              Save the limits
            </Button>
          </DialogFoot>
        </>
      )}
    </Form>
  );
}

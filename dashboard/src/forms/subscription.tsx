import { create_subscription as facts } from '@agent-control-plane/fields';
import type { Subscription, SubscriptionStatus } from '@agent-control-plane/sdk';
import { useWrite } from '../queries.ts';
import { boundsOf } from '../rules/bounds.ts';
import { changed } from '../rules/changes.ts';
import { sentence } from '../rules/words.ts';
import { momentOf, wallIn } from '../rules/zone.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { textOf, textOrNull } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';

const STATUSES: readonly SubscriptionStatus[] = facts.status.choices;

interface Props {
  customer_id: string;
  zone: string;
  of?: Subscription | undefined;
  onClose: () => void;
}

export function SubscriptionForm({ customer_id, zone, of, onClose }: Props) {
  const create = useWrite('create_subscription');
  const update = useWrite('update_subscription');
  const ended = of?.current_period_end ? wallIn(zone, of.current_period_end).slice(0, 10) : '';
  const save = async (values: FormData) => {
    const end = textOf(values, 'current_period_end');
    const body = {
      status: STATUSES.find((each) => each === textOf(values, 'status')) ?? 'active',
      plan: textOrNull(values, 'plan'),
      current_period_end:
        end === ended ? (of?.current_period_end ?? null) : end ? momentOf(zone, `${end}T00:00`) : null,
    };
    if (of) {
      await update.run({ path: { customer_id, subscription_id: of.id }, body: changed(of, body) });
    } else await create.run({ path: { customer_id }, body });
    onClose();
  };
  return (
    <FormDialog
      title={of ? 'Change the subscription' : 'Add a subscription'}
      action={of ? 'Save' : 'Add the subscription'}
      onSave={save}
      onClose={onClose}
    >
      <TextField name="plan" label="Plan" optional defaultValue={of?.plan ?? ''} {...boundsOf(facts.plan)} />
      <SelectField
        name="status"
        label="State"
        defaultValue={of?.status ?? 'active'}
        choices={STATUSES.map((each) => [each, sentence(each)])}
      />
      <TextField
        name="current_period_end"
        label="Paid until"
        type="date"
        optional
        defaultValue={ended}
        hint="In the customer’s time zone."
      />
    </FormDialog>
  );
}

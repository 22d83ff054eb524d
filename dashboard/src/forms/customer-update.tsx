import type { CustomerDetail } from '@agent-control-plane/sdk';
import { useWrite } from '../queries.ts';
import { changed } from '../rules/changes.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { say } from '../ui/toast.tsx';
import { CustomerFields, customerOf } from './customer-fields.tsx';

export function CustomerUpdateForm({ of, onClose }: { of: CustomerDetail; onClose: () => void }) {
  const update = useWrite('update_customer');
  const save = async (values: FormData) => {
    await update.run({ path: { customer_id: of.id }, body: changed(of, customerOf(values)) });
    say('The customer is changed.');
    onClose();
  };
  return (
    <FormDialog title="Change the customer" action="Save" onSave={save} onClose={onClose}>
      <CustomerFields of={of} />
    </FormDialog>
  );
}

import type { CreatedCustomer } from '@agent-control-plane/sdk';
import { useWrite } from '../queries.ts';
import { Command } from '../ui/copy.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { CustomerFields, customerOf } from './customer-fields.tsx';

interface Props {
  onClose: () => void;
  onMade: (customer: CreatedCustomer) => void;
}

export function CustomerCreateForm({ onClose, onMade }: Props) {
  const create = useWrite('create_customer');
  return (
    <FormDialog
      title="Add a customer"
      action="Add the customer"
      onSave={async (values) => onMade(await create.run({ body: customerOf(values) }))}
      onClose={onClose}
    >
      <CustomerFields />
      <Command>agentctl customers create --email ops@example.com</Command>
    </FormDialog>
  );
}

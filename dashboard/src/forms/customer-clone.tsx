import { clone_customer as facts } from '@agent-control-plane/fields';
import type { CreatedCustomer, CustomerDetail } from '@agent-control-plane/sdk';
import { useState } from 'react';
import { useRead, useWrite } from '../queries.ts';
import { boundsOf } from '../rules/bounds.ts';
import { customerName } from '../rules/names.ts';
import { visible } from '../rules/visible-text.ts';
import { Combobox, type Option } from '../ui/combobox.tsx';
import { TextField } from '../ui/field.tsx';
import { textOf, textOrNull } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';

interface Props {
  of: CustomerDetail;
  onClose: () => void;
  onMade: (customer: CreatedCustomer) => void;
}

export function CustomerCloneForm({ of, onClose, onMade }: Props) {
  const clone = useWrite('clone_customer');
  const [source, setSource] = useState<Option | undefined>({ id: of.id, name: visible(customerName(of)) });
  const [letters, setLetters] = useState('');
  const found = useRead('list_customers', { query: { per_page: 8, ...(letters && { q: letters }) } });
  const save = async (values: FormData) =>
    onMade(
      await clone.run({
        path: { customer_id: of.id },
        body: {
          company_name: textOf(values, 'company_name'),
          email: textOrNull(values, 'email'),
          source_customer_id: textOf(values, 'source_customer_id'),
        },
      }),
    );
  return (
    <FormDialog
      title={`Add a customer like ${visible(customerName(of))}`}
      action="Add the customer"
      onSave={save}
      onClose={onClose}
    >
      <p className="hint">
        The new one has the same country, currency, time zone and language, and the rules of the customer
        named below. People, connections and agents stay where they are.
      </p>
      <TextField name="company_name" label="Name" {...boundsOf(facts.company_name)} />
      <TextField name="email" label="E-mail" type="email" optional {...boundsOf(facts.email)} />
      <Combobox
        name="source_customer_id"
        label="Rules of"
        options={(found.data?.customers ?? []).map((each) => ({
          id: each.id,
          name: visible(customerName(each)),
          detail: each.company_name && each.email ? visible(each.email) : undefined,
        }))}
        isStale={found.isPlaceholderData}
        chosen={source}
        onSearch={setLetters}
        onChoose={setSource}
        required
      />
    </FormDialog>
  );
}

import { useState } from 'react';
import { useRead } from '../queries.ts';
import { customerName } from '../rules/names.ts';
import { visible } from '../rules/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { Combobox, type Option } from '../ui/combobox.tsx';
import { CustomerCreateForm } from './customer-create.tsx';
import style from './deploy-form.module.css';
import type { DeployDraft } from './deploy-inputs.ts';

const SHOWN = 8;

const optionOf = (row: { id: string; company_name: string | null; email: string | null }): Option => ({
  id: row.id,
  name: visible(customerName(row)),
  detail: row.company_name && row.email ? visible(row.email) : undefined,
});

/** One of many, found by its letters, or a new one that is made in place. */
export function DeployCustomer({ draft: { customer, choose } }: { draft: DeployDraft }) {
  const [letters, setLetters] = useState('');
  const [isNew, setNew] = useState(false);
  const found = useRead('list_customers', {
    query: { ...(letters && { q: letters }), sort_by: 'company_name', sort_dir: 'asc', per_page: SHOWN },
  });
  return (
    <>
      <div className={style.beside}>
        <Combobox
          key={customer?.id ?? 'none'}
          name="customer_id"
          label="Customer, by name or e-mail"
          options={(found.data?.customers ?? []).map(optionOf)}
          isStale={found.isPlaceholderData}
          chosen={customer && optionOf(customer)}
          onSearch={setLetters}
          onChoose={(option) => choose({ customer: option?.id })}
          required
        />
        <Button icon="plus" onClick={() => setNew(true)}>
          New
        </Button>
      </div>
      {isNew && (
        <CustomerCreateForm
          onClose={() => setNew(false)}
          onMade={({ id }) => {
            setNew(false);
            choose({ customer: id });
          }}
        />
      )}
    </>
  );
}

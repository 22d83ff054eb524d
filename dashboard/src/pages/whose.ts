import { useRead } from '../queries.ts';
import { customerName } from '../rules/names.ts';
import { visible } from '../rules/visible-text.ts';
import type { Option } from '../ui/combobox.tsx';

interface Whose {
  customer_id?: string | undefined;
  person_id?: string | undefined;
}

/** The customer or person that the address names, with its name once that is read. */
export function useWhose({ customer_id = '', person_id = '' }: Whose): Option | undefined {
  const person = useRead(
    'get_customer_staff',
    { path: { customer_id, person_id } },
    { enabled: customer_id !== '' && person_id !== '' },
  );
  const customer = useRead(
    'get_customer',
    { path: { customer_id } },
    { enabled: customer_id !== '' && person_id === '' },
  );
  if (customer_id === '') return undefined;
  if (person_id !== '') return person.data && { id: person_id, name: visible(person.data.name) };
  return customer.data && { id: customer_id, name: visible(customerName(customer.data)) };
}

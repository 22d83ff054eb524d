import { Link } from '@tanstack/react-router';
import { useRead } from '../queries.ts';
import { customerPath } from '../rules/names.ts';
import { visible } from '../rules/visible-text.ts';
import { type Choice, SelectField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';

interface CustomerChoiceProps {
  instance_id: string;
  chosen: string;
  onChoose: (customer_id: string) => void;
}

/** A shared agent serves several customers: who writes to the number writes to one of them. */
export function CustomerChoice({ instance_id, chosen, onChoose }: CustomerChoiceProps) {
  const { data } = useRead('list_instance_deployments', { path: { instance_id }, query: { per_page: 100 } });
  const choices = (data?.items ?? []).flatMap(({ customer_id, customer_name, customer_email }): Choice[] =>
    customer_id === null ? [] : [[customer_id, visible(customer_name ?? customer_email ?? customer_id)]],
  );
  return (
    <SelectField
      name="customer_id"
      label="Customer"
      required
      value={chosen}
      onChange={({ target }) => onChoose(target.value)}
      choices={[['', 'Choose one'], ...choices]}
      hint="Several share this agent. Who writes to the number writes to this one."
    />
  );
}

const PROVIDER = 'chatapp';
const NEW: object = { open: 'new', provider: PROVIDER };

/** Answers need a connection of the customer to the channel. */
export function ConnectionChoice({ customer_id, chosen }: { customer_id: string; chosen: string }) {
  const { data } = useRead(
    'list_connections',
    { path: { customer_id }, query: { per_page: 100 } },
    { enabled: customer_id !== '' },
  );
  if (customer_id === '' || !data) return null;
  const mine = data.items.filter(({ provider }) => provider === PROVIDER);
  const names = [...new Set(mine.flatMap(({ name }) => name ?? []))];
  if (mine.length === 0)
    return (
      <Notice tone="wait">
        The customer has no connection to the chat app yet, and answers wait until it has one.{' '}
        <Link to={customerPath(customer_id, 'connections')} search={NEW} className="link">
          Add a connection
        </Link>
      </Notice>
    );
  return (
    <SelectField
      key={customer_id}
      name="connection_name"
      label="Connection that answers are sent with"
      defaultValue={names.includes(chosen) ? chosen : ''}
      choices={[['', 'The oldest one that works'], ...names.map((name): Choice => [name, visible(name)])]}
    />
  );
}

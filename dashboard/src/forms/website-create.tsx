import { create_website as facts } from '@agent-control-plane/fields';
import { useWrite } from '../queries.ts';
import { boundsOf } from '../rules/bounds.ts';
import { TextField } from '../ui/field.tsx';
import { textOf } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';

export function WebsiteCreateForm({ customer_id, onClose }: { customer_id: string; onClose: () => void }) {
  const create = useWrite('create_website');
  const save = async (values: FormData) => {
    await create.run({ path: { customer_id }, body: { hostname: textOf(values, 'hostname').trim() } });
    onClose();
  };
  return (
    <FormDialog title="Add a website" action="Add the website" onSave={save} onClose={onClose}>
      <TextField
        name="hostname"
        label="Host"
        mono
        placeholder="www.example.com"
        hint="Without https:// and path. One host belongs to one customer."
        {...boundsOf(facts.hostname)}
      />
    </FormDialog>
  );
}

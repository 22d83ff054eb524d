import { put_region as facts } from '@agent-control-plane/fields';
import type { RegionDetail } from '@agent-control-plane/sdk';
import { useOperatorWrite } from '../operator.ts';
import { boundsOf } from '../rules/bounds.ts';
import { visible } from '../rules/visible-text.ts';
import { Check, TextField } from '../ui/field.tsx';
import { textOf, textOrNull } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { say } from '../ui/toast.tsx';

export function RegionForm({ of, onClose }: { of: RegionDetail | undefined; onClose: () => void }) {
  const put = useOperatorWrite('put_region');
  const save = async (values: FormData) => {
    await put.run({
      path: { region_id: of?.id ?? textOf(values, 'region_id') },
      body: {
        name: textOf(values, 'name'),
        chatapp_api_base_url: textOrNull(values, 'chatapp_api_base_url'),
        is_active: values.has('is_active'),
      },
    });
    say('The region is saved.');
    onClose();
  };
  return (
    <FormDialog
      title={of ? `Change ${visible(of.name)}` : 'New region'}
      action="Save the region"
      onSave={save}
      onClose={onClose}
    >
      {!of && (
        <TextField
          name="region_id"
          label="Id"
          hint="As deploys name it; it stays as it is"
          mono
          required
          maxLength={50}
        />
      )}
      <TextField name="name" label="Name" defaultValue={of?.name} {...boundsOf(facts.name)} required />
      <TextField
        name="chatapp_api_base_url"
        label="Address of the chat channel"
        type="url"
        placeholder="The channel’s own"
        hint="Where agents of this region reach its API, if elsewhere"
        defaultValue={of?.chatapp_api_base_url ?? ''}
        {...boundsOf(facts.chatapp_api_base_url)}
      />
      <Check name="is_active" defaultChecked={of?.is_active ?? true}>
        Offered for new agents
      </Check>
    </FormDialog>
  );
}

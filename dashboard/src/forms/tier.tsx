import { put_tier as facts } from '@agent-control-plane/fields';
import type { Tier } from '@agent-control-plane/sdk';
import { useState } from 'react';
import { useOperatorWrite } from '../operator.ts';
import { boundsOf } from '../rules/bounds.ts';
import { newUuid } from '../rules/uuid.ts';
import { visible } from '../rules/visible-text.ts';
import { AreaField, Check, Pair, TextField } from '../ui/field.tsx';
import { textOf, textOrNull } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { say } from '../ui/toast.tsx';

const numberOrNull = (values: FormData, name: string) => {
  const text = textOrNull(values, name);
  return text === null ? null : Number(text);
};

export function TierForm({ of, onClose }: { of: Tier | undefined; onClose: () => void }) {
  const [tier_id] = useState(() => of?.id ?? newUuid());
  const put = useOperatorWrite('put_tier');
  const save = async (values: FormData) => {
    await put.run({
      path: { tier_id },
      body: {
        name: textOf(values, 'name'),
        description: textOrNull(values, 'description'),
        cpu_millis: numberOrNull(values, 'cpu_millis'),
        memory_mib: numberOrNull(values, 'memory_mib'),
        is_active: values.has('is_active'),
      },
    });
    say('The tier is saved.');
    onClose();
  };
  return (
    <FormDialog
      title={of ? `Change ${visible(of.name)}` : 'New tier'}
      action="Save the tier"
      onSave={save}
      onClose={onClose}
    >
      <TextField name="name" label="Name" defaultValue={of?.name} {...boundsOf(facts.name)} required />
      <AreaField
        name="description"
        label="Description"
        optional
        rows={2}
        defaultValue={of?.description ?? ''}
        {...boundsOf(facts.description)}
      />
      <Pair>
        <TextField
          name="cpu_millis"
          label="Processor"
          type="number"
          placeholder="No limit"
          hint="Thousandths of a core"
          defaultValue={of?.cpu_millis ?? ''}
          {...boundsOf(facts.cpu_millis)}
        />
        <TextField
          name="memory_mib"
          label="Memory"
          type="number"
          placeholder="No limit"
          hint="MiB"
          defaultValue={of?.memory_mib ?? ''}
          {...boundsOf(facts.memory_mib)}
        />
      </Pair>
      <Check name="is_active" defaultChecked={of?.is_active ?? true}>
        Offered for new agents
      </Check>
    </FormDialog>
  );
}

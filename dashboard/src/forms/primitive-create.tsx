import { create_primitive as facts } from '@agent-control-plane/fields';
import type { PrimitiveKind } from '@agent-control-plane/sdk';
import { useWrite } from '../queries.ts';
import { boundsOf } from '../rules/bounds.ts';
import { KINDS, kindOf } from '../rules/primitive-kinds.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { textOf, textOrNull } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { say } from '../ui/toast.tsx';

export function PrimitiveCreateForm({
  kind,
  onClose,
}: {
  kind: PrimitiveKind | undefined;
  onClose: () => void;
}) {
  const create = useWrite('create_primitive');
  const save = async (values: FormData) => {
    const slug = textOf(values, 'slug');
    await create.run({
      body: {
        kind: kindOf(textOf(values, 'kind')) ?? 'skill',
        slug,
        display_name: textOrNull(values, 'display_name'),
      },
    });
    say(`Recipes may use ${slug} now.`);
    onClose();
  };
  return (
    <FormDialog title="Approve a primitive" action="Approve" onSave={save} onClose={onClose}>
      <SelectField name="kind" label="Kind" choices={KINDS} defaultValue={kind} />
      <TextField
        name="slug"
        label="Short name"
        hint="As recipes and runtimes name it"
        mono
        {...boundsOf(facts.slug)}
      />
      <TextField name="display_name" label="Name to show" optional {...boundsOf(facts.display_name)} />
    </FormDialog>
  );
}

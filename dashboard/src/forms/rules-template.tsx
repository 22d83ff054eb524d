import { create_rules_template as facts } from '@agent-control-plane/fields';
import type { RulesTemplate, RulesTemplateCreate } from '@agent-control-plane/sdk';
import { useWrite } from '../queries.ts';
import { boundsOf } from '../rules/bounds.ts';
import { instructionsOf, withInstructions } from '../rules/instructions.ts';
import { visible } from '../rules/visible-text.ts';
import { TextField } from '../ui/field.tsx';
import { textOf } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { TextRows, useTextRows } from '../ui/text-rows.tsx';
import { say } from '../ui/toast.tsx';

/** A name and sentences; other rules of the template stay as they are. */
export function RulesTemplateForm({ of, onClose }: { of: RulesTemplate | undefined; onClose: () => void }) {
  const create = useWrite('create_rules_template');
  const update = useWrite('update_rules_template');
  const sentences = instructionsOf(of?.rules ?? {});
  const rows = useTextRows(of ? (sentences ?? []) : ['']);
  const save = async (values: FormData) => {
    const body: RulesTemplateCreate = {
      name: textOf(values, 'name'),
      rules: sentences ? withInstructions(of?.rules ?? {}, rows.said) : (of?.rules ?? {}),
    };
    if (of) await update.run({ path: { rules_template_id: of.id }, body });
    else await create.run({ body });
    say('The template is saved.');
    onClose();
  };
  return (
    <FormDialog
      title={of ? `Change ${visible(of.name)}` : 'New rules template'}
      action="Save the template"
      onSave={save}
      onClose={onClose}
      wide
    >
      <TextField name="name" label="Name" defaultValue={of?.name} {...boundsOf(facts.name)} />
      {sentences ? (
        <TextRows name="rules.instructions" one="rule" of={rows} />
      ) : (
        <Notice tone="wait">
          The field “instructions” is no list of sentences, so no model is told it. Change it as JSON.
        </Notice>
      )}
    </FormDialog>
  );
}

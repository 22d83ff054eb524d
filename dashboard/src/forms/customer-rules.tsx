import { useWrite } from '../queries.ts';
import { withInstructions } from '../rules/instructions.ts';
import type { JsonObject } from '../rules/recipe-patch.ts';
import { Button } from '../ui/button.tsx';
import { FormFoot } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { TextRows, useTextRows } from '../ui/text-rows.tsx';
import { say } from '../ui/toast.tsx';

interface Props {
  customer_id: string;
  rules: JsonObject;
  instructions: readonly string[];
  onSaved: () => void;
}

/** Sentences that the model is told. Other rules stay as they are. */
export function CustomerRulesForm({ customer_id, rules, instructions, onSaved }: Props) {
  const replace = useWrite('replace_customer_rules');
  const rows = useTextRows(instructions);
  const { said } = rows;
  const isSame = JSON.stringify(said) === JSON.stringify(instructions);
  const save = async () => {
    await replace.run({ path: { customer_id }, body: withInstructions(rules, said) });
    say('The rules are saved.');
    onSaved();
  };
  return (
    <Form onSave={save} label="Rules">
      {(pending) => (
        <>
          <TextRows name="instructions" one="rule" of={rows} />
          <FormFoot>
            <Button type="submit" look="primary" pending={pending} disabled={isSame}>
              Save the rules
            </Button>
            {isSame && <span className="hint">Nothing is changed.</span>}
          </FormFoot>
        </>
      )}
    </Form>
  );
}

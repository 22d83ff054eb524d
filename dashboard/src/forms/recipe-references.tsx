import { useRead } from '../queries.ts';
import { fieldWords } from '../rules/recipe-content.ts';
import { visible } from '../rules/visible-text.ts';
import type { Choice } from '../ui/field.tsx';
import { FormRow } from '../ui/form-row.tsx';
import type { Draft } from './recipe-draft.ts';
import { TextRow } from './recipe-rows.tsx';

const NONE: Choice = ['', 'none'];

const choicesOf = (page: { items: readonly { id: string; name: string }[] } | undefined): readonly Choice[] =>
  page?.items.map(({ id, name }): Choice => [id, visible(name)]) ?? [];

/** Things of the tenant and the operator that a recipe names, and whom one agent serves. */
export function References({ draft }: { draft: Draft }) {
  const query = { per_page: 100 };
  const flows = useRead('list_onboarding_flows', { query });
  const templates = useRead('list_rules_templates', { query });
  const manifests = useRead('list_manifests', { query });
  return (
    <>
      <ChoiceRow
        draft={draft}
        field="onboarding_flow_id"
        hint="What new senders are asked first"
        choices={[NONE, ...choicesOf(flows.data)]}
      />
      <ChoiceRow
        draft={draft}
        field="rules_template_id"
        hint="For customers who have none"
        choices={[NONE, ...choicesOf(templates.data)]}
      />
      <ChoiceRow
        draft={draft}
        field="manifest_id"
        hint="The program that runs it"
        choices={[['', 'the built-in one'], ...choicesOf(manifests.data)]}
      />
    </>
  );
}

interface ChoiceRowProps {
  draft: Draft;
  field: string;
  hint: string;
  choices: readonly Choice[];
}

function ChoiceRow({ draft, field, hint, choices }: ChoiceRowProps) {
  const value = draft.at(field);
  const chosen = typeof value === 'string' ? value : '';
  const all = choices.some(([each]) => each === chosen) ? choices : [...choices, [chosen, chosen] as const];
  return (
    <FormRow name={field} label={fieldWords(field)} hint={hint} changed={draft.isChanged(field)}>
      {(control) => (
        <select {...control} value={chosen} onChange={({ target }) => draft.set([field], target.value)}>
          {all.map(([each, words]) => (
            <option key={each} value={each}>
              {words}
            </option>
          ))}
        </select>
      )}
    </FormRow>
  );
}

const SHARED = 'shared';

export const Hosting = ({ draft }: { draft: Draft }) => (
  <>
    <FormRow
      name="hosting_mode"
      label="Hosting"
      hint="Whom one agent serves"
      changed={draft.isChanged('hosting_mode')}
    >
      {(control) => (
        <select
          {...control}
          value={draft.at('hosting_mode') === SHARED ? SHARED : ''}
          onChange={({ target }) => draft.set(['hosting_mode'], target.value)}
        >
          <option value="">one customer</option>
          <option value={SHARED}>several customers</option>
        </select>
      )}
    </FormRow>
    {draft.at('hosting_mode') === SHARED && (
      <TextRow
        draft={draft}
        path={['shared_node_capacity']}
        label="Capacity"
        hint="Customers of one agent"
        type="number"
        min={1}
        max={1000}
        placeholder="50"
      />
    )}
  </>
);

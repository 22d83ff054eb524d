import { useId } from 'react';
import { useRead } from '../queries.ts';
import { FormRow } from '../ui/form-row.tsx';
import type { Draft } from './recipe-draft.ts';
import { TextRow } from './recipe-rows.tsx';

const MODEL = ['model_policy', 'model'] as const;
const BUDGET = ['model_policy', 'budget', 'monthly_cost'] as const;

/** Which model answers, and what it may cost. */
export function RecipeModel({ draft }: { draft: Draft }) {
  const list = useId();
  const { data: me } = useRead('get_me', {});
  const { data: models } = useRead('list_models', {});
  const model = draft.at(...MODEL);
  const per = draft.at('model_policy', 'budget', 'per');
  const own = me?.capabilities.model;
  return (
    <>
      <FormRow
        name={MODEL.join('.')}
        label="Model"
        hint={own ? `${own}, where nothing is said` : 'The service’s own, where nothing is said'}
        changed={draft.isChanged(...MODEL)}
      >
        {(control) => (
          <>
            <input
              {...control}
              className={`${control.className} mono`}
              list={list}
              autoComplete="off"
              placeholder={own ?? 'the service’s own'}
              value={typeof model === 'string' ? model : ''}
              onChange={({ target }) => draft.set(MODEL, target.value)}
            />
            <datalist id={list}>
              {models?.map(({ model_id, display_name }) => (
                <option key={model_id} value={model_id}>
                  {display_name}
                </option>
              ))}
            </datalist>
          </>
        )}
      </FormRow>
      <TextRow
        draft={draft}
        path={BUDGET}
        label="Budget"
        hint={`USD a month for each ${per === 'customer' ? 'customer' : 'agent'}, for models`}
        placeholder="no limit"
        type="number"
        min={0}
        step="any"
        inputMode="decimal"
      />
    </>
  );
}

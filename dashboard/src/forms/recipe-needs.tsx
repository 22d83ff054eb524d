import { isObject, type JsonObject } from '../rules/recipe-patch.ts';
import { slugOf } from '../rules/slugs.ts';
import { Button } from '../ui/button.tsx';
import field from '../ui/field.module.css';
import { Check } from '../ui/field.tsx';
import { FormGroup } from '../ui/form-row.tsx';
import type { Draft } from './recipe-draft.ts';
import { RecipeElements } from './recipe-elements.tsx';
import style from './recipe-form.module.css';
import { setElement } from './recipe-lists.ts';

const FIELD = 'connection_requirements';

/** Connections that a customer needs before a deploy. */
export const RecipeNeeds = ({ draft }: { draft: Draft }) => (
  <FormGroup
    name={FIELD}
    label="Connections"
    hint="What a customer needs before a deploy"
    changed={draft.isChanged(FIELD)}
  >
    <RecipeElements draft={draft} path={[FIELD]} add="Add a connection" added={{ provider: '' }}>
      {(need, at) => <Need draft={draft} at={at} need={isObject(need) ? need : { provider: slugOf(need) }} />}
    </RecipeElements>
  </FormGroup>
);

function Need({ draft, at, need }: { draft: Draft; at: number; need: JsonObject }) {
  const set = (change: JsonObject) => setElement(draft, FIELD, at, { ...need, ...change });
  const isOptional = need.optional === true;
  return (
    <div className={style.need}>
      <input
        className={`${field.input} mono`}
        name={`${FIELD}.${at}.provider`}
        aria-label={`Provider of connection ${at + 1}`}
        placeholder="chatapp"
        value={typeof need.provider === 'string' ? need.provider : (slugOf(need) ?? '')}
        onChange={({ target }) => set({ provider: target.value })}
      />
      <Check checked={isOptional} onChange={() => set({ optional: isOptional ? undefined : true })}>
        optional
      </Check>
      <Button
        look="plain"
        small
        icon="close"
        aria-label={`Remove connection ${at + 1}`}
        onClick={() => setElement(draft, FIELD, at, undefined)}
      />
    </div>
  );
}

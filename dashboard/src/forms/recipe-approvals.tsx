import { isObject, type JsonObject } from '../rules/recipe-patch.ts';
import { Button } from '../ui/button.tsx';
import field from '../ui/field.module.css';
import { FormGroup } from '../ui/form-row.tsx';
import type { Draft } from './recipe-draft.ts';
import { RecipeElements } from './recipe-elements.tsx';
import style from './recipe-form.module.css';
import { elementsAt, setElement, textOf } from './recipe-lists.ts';

/** Tools that wait for a person or a PIN. */
export const RecipeApprovals = ({ draft }: { draft: Draft }) => (
  <FormGroup
    name="approval_rules"
    label="Approvals"
    hint="What asks first"
    changed={draft.isChanged('approval_rules')}
  >
    <Rules draft={draft} />
  </FormGroup>
);

const RULES = ['approval_rules', 'require'];
const DAY_MINUTES = 1440;
const TIMES: readonly (readonly [number, string])[] = [
  [15, '15 min'],
  [60, '60 min'],
  [240, '4 hours'],
  [DAY_MINUTES, 'a day'],
  [7 * DAY_MINUTES, '7 days'],
];

function Rules({ draft }: { draft: Draft }) {
  const [server] = elementsAt(draft, 'mcp_servers');
  const tool = isObject(server) && textOf(server.name) !== '' ? `${textOf(server.name)}__*` : '*';
  return (
    <RecipeElements draft={draft} path={RULES} add="Add a rule" added={{ tool, by: 'person' }}>
      {(rule, at) => <Rule draft={draft} at={at} rule={isObject(rule) ? rule : {}} />}
    </RecipeElements>
  );
}

function Rule({ draft, at, rule }: { draft: Draft; at: number; rule: JsonObject }) {
  const set = (change: JsonObject) => setElement(draft, RULES, at, { ...rule, ...change });
  const minutes = typeof rule.expires_minutes === 'number' ? rule.expires_minutes : DAY_MINUTES;
  const times = TIMES.some(([value]) => value === minutes)
    ? TIMES
    : [...TIMES, [minutes, `${minutes} min`] as const];
  return (
    <div className={style.rule}>
      <input
        className={`${field.input} mono`}
        name={`approval_rules.require.${at}.tool`}
        aria-label={`Tools of rule ${at + 1}`}
        value={textOf(rule.tool)}
        onChange={({ target }) => set({ tool: target.value })}
      />
      <span className="hint">waits for</span>
      <select
        className={field.input}
        aria-label={`Who decides by rule ${at + 1}`}
        value={textOf(rule.by)}
        onChange={({ target }) => set({ by: target.value })}
      >
        <option value="person">a person</option>
        <option value="pin">a PIN</option>
      </select>
      {rule.by !== 'pin' && (
        <>
          <span className="hint">for</span>
          <select
            className={field.input}
            aria-label={`How long rule ${at + 1} waits`}
            value={minutes}
            onChange={({ target }) => set({ expires_minutes: Number(target.value) })}
          >
            {times.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </>
      )}
      <Button
        look="plain"
        small
        icon="close"
        aria-label={`Remove rule ${at + 1}`}
        onClick={() => setElement(draft, RULES, at, undefined)}
      />
    </div>
  );
}

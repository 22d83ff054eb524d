import { lazy, Suspense, useState } from 'react';
import type { DeployInputs } from '../rules/deploy-request.ts';
import { isObject, type JsonObject } from '../rules/recipe-patch.ts';
import { slugsOf } from '../rules/slugs.ts';
import { Check, SelectField } from '../ui/field.tsx';
import { useFault } from '../ui/form.tsx';
import { Notice, Skeleton } from '../ui/notice.tsx';
import style from './deploy-form.module.css';
import type { DeployDraft } from './deploy-inputs.ts';

const CodeEditor = lazy(() =>
  import('../ui/code-editor.tsx').then(({ CodeEditor: component }) => ({ default: component })),
);

const HOSTING = [
  ['', 'As the recipe says'],
  ['dedicated', 'An agent of its own'],
  ['shared', 'Beside other customers, each with its own data'],
] as const;

interface DeploySettingsProps {
  draft: DeployDraft;
  config: JsonObject | undefined;
}

export function DeploySettings({ draft: { inputs, choose, type }, config }: DeploySettingsProps) {
  // The editor is large, and few need it.
  const [isOpen, setOpen] = useState(false);
  const fault = useFault('instance_overrides');
  const channels = slugsOf(config?.channel_types).filter((slug) => slug !== 'playground');
  return (
    <>
      <Check
        name="try"
        checked={inputs.isTried}
        onChange={({ target: { checked } }) => choose({ try: checked ? 'here' : undefined })}
      >
        Try it here first
        <span className={`hint ${style.tried}`}>
          It answers on its own page alone: no number, no connection. Later an upgrade gives it the rest.
        </span>
      </Check>
      {!inputs.isTried && channels.length > 0 && (
        <p className="hint">
          It answers on {channels.join(', ')}. A number is connected afterwards, under Channels.
        </p>
      )}
      <details className={style.more} onToggle={({ currentTarget: { open } }) => setOpen(open)}>
        <summary className="hint">More settings</summary>
        <div className={style.inside}>
          <SelectField
            name="hosting_mode"
            label="Hosting"
            value={inputs.hosting_mode}
            onChange={({ target: { value } }) =>
              type({ hosting_mode: HOSTING.find(([each]) => each === value)?.[0] ?? '' })
            }
            choices={HOSTING}
          />
          {isOpen && <Overrides of={inputs.overrides} onChange={(overrides) => type({ overrides })} />}
          {fault !== undefined && <Notice tone="bad">{fault}</Notice>}
        </div>
      </details>
    </>
  );
}

interface OverridesProps {
  of: DeployInputs['overrides'];
  onChange: (overrides: JsonObject) => void;
}

/** Any field of the recipe, as a merge patch: the plan shows at once what becomes of it. */
function Overrides({ of, onChange }: OverridesProps) {
  const [initial] = useState(() => `${JSON.stringify(of, null, 2)}\n`);
  const [isBroken, setBroken] = useState(false);
  const read = (text: string) => {
    const object = objectOf(text);
    setBroken(object === undefined);
    if (object) onChange(object);
  };
  return (
    <div className={style.inside}>
      <p className="hint">
        Fields of the recipe that are different here, as JSON: {'{'}
        <span className="mono">"system_prompt": "…"</span>
        {'}'}. null takes a field away, and a list replaces the whole list.
      </p>
      <Suspense fallback={<Skeleton />}>
        <CodeEditor
          label="Fields that are different for this agent, as JSON"
          language="json"
          initial={initial}
          onChange={read}
        />
      </Suspense>
      {isBroken && <p className="hint wait">This is not an object yet; the one before counts.</p>}
    </div>
  );
}

function objectOf(text: string): JsonObject | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

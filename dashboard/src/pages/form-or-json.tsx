import { type ReactNode, useState } from 'react';
import type { JsonObject } from '../rules/recipe-patch.ts';
import { Answered } from '../ui/answered.tsx';
import { Chips } from '../ui/chips.tsx';
import { ObjectEditor } from '../ui/object-editor.tsx';
import { say } from '../ui/toast.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import style from './customer-settings.module.css';

export type View = 'form' | 'json';

interface FormOrJsonProps {
  of: Parameters<typeof Answered<JsonObject>>[0]['of'];
  /** The words for the form. */
  form: string;
  view: string | undefined;
  onView: (view: 'json' | undefined) => void;
  label: string;
  about: string;
  replace: (body: JsonObject) => Promise<unknown>;
  /** Said once the JSON is saved. */
  saidWhenSaved: string;
  /** The form anew after each save: `key` and `onSaved` belong to it. */
  children: (data: JsonObject, form: { key: number; onSaved: () => void }) => ReactNode;
}

/** An object of a customer: a form that keeps what it does not know, and all of it as JSON. */
export function FormOrJson({
  of,
  form,
  view,
  onView,
  label,
  about,
  replace,
  saidWhenSaved,
  children,
}: FormOrJsonProps) {
  const [saved, setSaved] = useState(0);
  const shown: View = view === 'json' ? 'json' : 'form';
  // A form that began with the object of before would call what was just saved a change.
  const onSaved = () => void of.refetch().then(() => setSaved((times) => times + 1));
  const save = async (body: JsonObject) => {
    await replace(body);
    say(saidWhenSaved);
    onSaved();
  };
  return (
    <div className={style.narrow}>
      <Toolbar
        actions={
          <Chips<View>
            label="Shown as"
            of={[
              ['form', form],
              ['json', 'JSON'],
            ]}
            chosen={shown}
            onChoose={(to) => onView(to === 'json' ? to : undefined)}
          />
        }
      >
        <p className="muted">{about}</p>
      </Toolbar>
      <Answered of={of}>
        {(data) =>
          shown === 'json' ? (
            <ObjectEditor key={saved} label={label} of={data} onSave={save} />
          ) : (
            children(data, { key: saved, onSaved })
          )
        }
      </Answered>
    </div>
  );
}

import type { LlmProviderModels } from '@agent-control-plane/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { visible } from '../rules/visible-text.ts';
import { Answered } from '../ui/answered.tsx';
import { Copied } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Empty } from '../ui/notice.tsx';
import style from './provider-models.module.css';

const SHOWN = 60;

interface Props {
  slug: string;
  /** Stands before a model's name in a recipe. */
  prefix: string;
  models: UseQueryResult<LlmProviderModels>;
  onClose: () => void;
}

/** The models that a provider has now, with the names by which recipes choose them. */
export function ProviderModels({ slug, prefix, models, onClose }: Props) {
  const [letters, setLetters] = useState('');
  return (
    <Dialog title={`Models of ${visible(slug)}`} onClose={onClose} wide>
      <p className="hint">Asked of the provider now. A recipe chooses one by the name below.</p>
      <Answered of={models}>
        {({ items }) => {
          const found = items.filter(({ id }) => id.toLowerCase().includes(letters.trim().toLowerCase()));
          return items.length === 0 ? (
            <Empty>The provider names no model.</Empty>
          ) : (
            <>
              {items.length > 8 && (
                <TextField
                  name="letters"
                  label={`Find among ${items.length}`}
                  type="search"
                  value={letters}
                  onChange={({ target }) => setLetters(target.value)}
                />
              )}
              <ul className={style.models}>
                {found.slice(0, SHOWN).map(({ id }) => (
                  <li key={id}>
                    <Copied text={prefix + id} label={`the name of ${visible(id)}`} />
                  </li>
                ))}
              </ul>
              {found.length === 0 && <p className="hint">No model has these letters in its name.</p>}
              {found.length > SHOWN && <p className="hint">And {found.length - SHOWN} more.</p>}
            </>
          );
        }}
      </Answered>
    </Dialog>
  );
}

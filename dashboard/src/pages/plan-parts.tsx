import type { MissingConnection, Violation } from '@agent-control-plane/sdk';
import { useState } from 'react';
import { ConnectionCreateForm } from '../forms/connection-create.tsx';
import { permissionChanges } from '../rules/permission-changes.ts';
import { providerWords } from '../rules/providers.ts';
import type { JsonObject } from '../rules/recipe-patch.ts';
import { visible } from '../rules/visible-text.ts';
import { plural } from '../rules/words.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { ShapeMark } from '../ui/status.tsx';
import style from './plan-parts.module.css';
import { useIsAdmin } from './use-instance.ts';

const REASONS = {
  missing: 'The customer is not connected to it.',
  expired: 'Its credentials have expired.',
  revoked: 'It was revoked.',
};

interface MissingProps {
  customer_id: string | null;
  of: readonly MissingConnection[];
}

/** Connections that a customer lacks, added in place: the plan is asked for anew afterwards. */
export function MissingConnections({ customer_id, of }: MissingProps) {
  const isAdmin = useIsAdmin();
  const [adding, setAdding] = useState<string>();
  if (of.length === 0) return null;
  return (
    <Notice tone="wait">
      <b className={style.strong}>{plural(of.length, 'connection is', 'connections are')} missing.</b>
      <ul className={style.missing}>
        {of.map(({ provider, name, reason }) => (
          <li key={`${provider} ${name}`}>
            <span>
              {visible(providerWords(provider))}
              {name !== null && ` “${visible(name)}”`}
              <span className="muted">: {REASONS[reason]}</span>
            </span>
            {isAdmin && customer_id !== null && (
              <Button small onClick={() => setAdding(provider)}>
                Add
                <span className="vh"> {visible(providerWords(provider))}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {adding !== undefined && customer_id !== null && (
        <ConnectionCreateForm
          customer_id={customer_id}
          provider={adding}
          onClose={() => setAdding(undefined)}
        />
      )}
    </Notice>
  );
}

/** Nothing of this blocks. */
export function Violations({ of }: { of: readonly Violation[] }) {
  if (of.length === 0) return null;
  return (
    <Notice tone="wait">
      <b className={style.strong}>
        {plural(of.length, 'thing')} to look at;{' '}
        {of.length === 1 ? 'it does not block' : 'none of them blocks'}.
      </b>
      <ul className={style.list}>
        {of.map(({ path, code, message }) => (
          <li key={`${path} ${code} ${message}`}>{visible(message)}</li>
        ))}
      </ul>
    </Notice>
  );
}

const MARKS = {
  more: { shape: 'diamond', tone: 'wait' },
  less: { shape: 'square', tone: 'off' },
  other: { shape: 'ring', tone: 'off' },
} as const;
const WORDS = { more: 'More: ', less: 'Less: ', other: 'Other: ' };

/** How another configuration changes what an agent may do, in sentences. */
export function Permissions({ before, after }: { before: JsonObject; after: JsonObject }) {
  const changes = permissionChanges(before, after);
  if (changes.length === 0)
    return <p className="muted">The same as before: no skill, tool, channel or rule changes.</p>;
  return (
    <ul className={style.permissions}>
      {changes.map(({ is, words }) => (
        <li key={words}>
          <ShapeMark {...MARKS[is]} />
          <span>
            <span className="vh">{WORDS[is]}</span>
            {visible(words)}
          </span>
        </li>
      ))}
    </ul>
  );
}

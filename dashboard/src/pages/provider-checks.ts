import type { LlmProviderCheck } from '@agent-control-plane/sdk';
import { useState } from 'react';

export interface Checked {
  pending: boolean;
  answer?: LlmProviderCheck;
  error?: unknown;
}

/** The last answer of each provider that was asked on this page, by its short name. */
export function useChecks(ask: (slug: string) => Promise<LlmProviderCheck>) {
  const [checks, setChecks] = useState<Readonly<Record<string, Checked>>>({});
  const note = (slug: string, checked: Checked) => setChecks((old) => ({ ...old, [slug]: checked }));
  const check = (slug: string) => {
    note(slug, { pending: true });
    ask(slug).then(
      (answer) => note(slug, { pending: false, answer }),
      (error: unknown) => note(slug, { pending: false, error }),
    );
  };
  return { checks, check };
}

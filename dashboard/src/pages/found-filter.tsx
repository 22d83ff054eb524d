import type { FoundItem } from '@agent-control-plane/sdk';
import { useState } from 'react';
import { useRead } from '../queries.ts';
import { visible } from '../rules/visible-text.ts';
import { sentence } from '../rules/words.ts';
import { Combobox, type Option } from '../ui/combobox.tsx';

/** A search needs that many letters. */
const LEAST = 2;

const WORDS: Partial<Record<FoundItem['kind'], string>> = { instance: 'Agent' };

interface FoundFilterProps {
  label: string;
  kinds: readonly FoundItem['kind'][];
  chosen: Option | undefined;
  onChoose: (item: FoundItem | undefined) => void;
}

/** Narrows a list to one customer, person or agent, found by its letters. */
export function FoundFilter({ label, kinds, chosen, onChoose }: FoundFilterProps) {
  const [letters, setLetters] = useState('');
  const q = letters.trim();
  const isAsked = q.length >= LEAST;
  const found = useRead('search_tenant', { query: { q, kinds: kinds.join(',') } }, { enabled: isAsked });
  const items = (isAsked && found.data?.items) || [];
  return (
    <Combobox
      inside
      name="found"
      label={label}
      options={items.map(({ id, kind, name }) => ({
        id,
        name: visible(name),
        detail: kinds.length > 1 ? (WORDS[kind] ?? sentence(kind)) : undefined,
      }))}
      isStale={found.isPlaceholderData}
      chosen={chosen}
      onSearch={setLetters}
      onChoose={(option) => onChoose(items.find(({ id }) => id === option?.id))}
    />
  );
}

import type { Result } from '@agent-control-plane/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCombobox } from 'downshift';
import { useEffect, useRef, useState } from 'react';
import { MENU } from './menu.ts';
import style from './palette.module.css';
import { operation } from './queries.ts';
import { visible } from './rules/visible-text.ts';
import { useSettled } from './ui/settled.ts';

interface Found {
  id: string;
  name: string;
  detail: string;
  to: string;
}

type Item = Result<'search_tenant'>['items'][number];

const PAGES: readonly Found[] = MENU.map(({ to, name }) => ({ id: to, name, detail: 'Page', to }));

const pagesLike = (words: string) =>
  PAGES.filter(({ name }) => name.toLowerCase().includes(words.toLowerCase()));

/** Where people call it by another word than the API does. */
const KINDS: Record<Item['kind'], { word: string; to: (item: Item) => string }> = {
  customer: { word: 'Customer', to: ({ id }) => `/customers/${id}/overview` },
  person: { word: 'Person', to: ({ customer_id }) => `/customers/${customer_id}/staff` },
  instance: { word: 'Agent', to: ({ id }) => `/instances/${id}/timeline` },
  recipe: { word: 'Recipe', to: ({ id }) => `/recipes/${id}/edit` },
  conversation: { word: 'Conversation', to: ({ id }) => `/conversations/${id}` },
};

const foundOf = (item: Item): Found => {
  const { word, to } = KINDS[item.kind];
  return {
    id: `${item.kind} ${item.id}`,
    name: item.name,
    detail: item.detail ? `${word} · ${item.detail}` : word,
    to: to(item),
  };
};

/** Finds what fits the words that were typed last; results of earlier words are not shown, so that nothing stale is chosen. */
function useFound(words: string): { items: readonly Found[]; isAsking: boolean } {
  const asked = useSettled(words);
  const search = useQuery({
    ...operation('search_tenant', { query: { q: asked } }),
    enabled: asked.length >= 2,
  });
  const isCurrent = asked === words && words.length >= 2;
  const found = isCurrent ? (search.data?.items ?? []).map(foundOf) : [];
  return {
    items: [...pagesLike(words), ...found],
    isAsking: words.length >= 2 && (!isCurrent || search.isFetching),
  };
}

const noteOf = (words: string, { items, isAsking }: ReturnType<typeof useFound>) => {
  if (items.length > 0) return '';
  if (isAsking) return 'Searching…';
  return words.length < 2 ? 'Two letters begin a search.' : 'Nothing has these letters in its name.';
};

/** Finds pages, customers, people, agents, recipes and conversations. */
export function Palette({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const words = typed.trim();
  const found = useFound(words);
  useEffect(() => dialog.current?.showModal(), []);
  const { getInputProps, getItemProps, getLabelProps, getMenuProps, highlightedIndex } = useCombobox<Found>({
    items: [...found.items],
    isOpen: true,
    defaultHighlightedIndex: 0,
    itemToString: (item) => item?.name ?? '',
    itemToKey: (item) => item?.id,
    onInputValueChange: ({ inputValue }) => setTyped(inputValue),
    onSelectedItemChange: ({ selectedItem }) => {
      dialog.current?.close();
      if (selectedItem) void navigate({ to: selectedItem.to });
    },
  });
  return (
    <dialog
      ref={dialog}
      className={style.palette}
      aria-label="Find"
      onClose={onClose}
      onClick={({ target }) => target === dialog.current && dialog.current?.close()}
    >
      <label className="vh" {...getLabelProps()}>
        Find a page, a customer, a person, an agent, a recipe or a conversation
      </label>
      <input className={style.input} placeholder="Find…" {...getInputProps()} />
      <ul className={style.list} {...getMenuProps()}>
        {found.items.map((item, index) => (
          <li
            key={item.id}
            className={style.found}
            {...getItemProps({ item, index, 'aria-selected': index === highlightedIndex })}
          >
            <span className="one">{visible(item.name)}</span>
            <span className="hint one">{visible(item.detail)}</span>
          </li>
        ))}
      </ul>
      <p className={`hint ${style.note}`} role="status">
        {noteOf(words, found)}
      </p>
    </dialog>
  );
}

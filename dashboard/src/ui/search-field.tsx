import { useEffect, useState } from 'react';
import style from './field.module.css';

/** After the last letter. */
const PAUSE_MS = 200;

interface SearchFieldProps {
  label: string;
  value: string;
  onSearch: (words: string) => void;
}

/** Narrows the list below; the address keeps the words. */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const [words, setWords] = useState(value);
  useEffect(() => setWords(value), [value]);
  useEffect(() => {
    if (words === value) return undefined;
    const timer = setTimeout(() => onSearch(words), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [words, value, onSearch]);
  return (
    <input
      type="search"
      className={style.input}
      aria-label={label}
      placeholder={label}
      value={words}
      onChange={({ target }) => setWords(target.value)}
    />
  );
}

import { MENU } from '../menu.ts';
import style from './settings-me.module.css';

interface Shortcut {
  keys: readonly string[];
  does: string;
  /** A single letter, which can be switched off. */
  letter: boolean;
}

const FIND = navigator.platform.startsWith('Mac') ? ['⌘', 'K'] : ['Ctrl', 'K'];

const FIXED: readonly Shortcut[] = [
  { keys: FIND, does: 'Find pages, people, agents and conversations', letter: false },
  { keys: ['/'], does: 'Search the list', letter: true },
  { keys: ['j', 'k'], does: 'To the next row, to the one before', letter: true },
  { keys: ['↵'], does: 'Open the row', letter: false },
  { keys: ['?'], does: 'Show this list', letter: true },
];

/** All keys that do something. */
export function KeyList({ letters, isAdmin }: { letters: boolean; isAdmin: boolean }) {
  const pages = MENU.filter(({ admin }) => !admin || isAdmin).map(
    ({ key, name }): Shortcut => ({ keys: ['g', key], does: `Go to ${name}`, letter: true }),
  );
  return (
    <dl className={style.list} data-off={!letters || undefined}>
      {[...FIXED, ...pages].map(({ keys, does, letter }) => (
        <div key={does} className={style.shortcut}>
          <dt data-letter={letter || undefined}>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd data-letter={letter || undefined}>{does}</dd>
        </div>
      ))}
    </dl>
  );
}

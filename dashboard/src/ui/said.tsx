import { useState } from 'react';
import { visible, withLinks } from '../rules/visible-text.ts';
import { Button } from './button.tsx';

/** Longer texts are folded. */
const SHOWN = 2000;

/** Words of others: text alone, with their own direction; an address shows its host and opens apart. */
export function Said({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  const isLong = text.length > SHOWN;
  return (
    <div className="said">
      {withLinks(isLong && !isOpen ? `${text.slice(0, SHOWN)}…` : text).map((part, at) =>
        part.href === undefined ? (
          part.text
        ) : (
          // Parts have no other identity than their place.
          <a
            key={`${at}-${part.href}`}
            className="link"
            href={part.href}
            target="_blank"
            rel="noopener noreferrer"
            title={part.href}
          >
            {visible(part.text)}
            {part.host !== undefined && !part.text.includes(part.host) && ` (${visible(part.host)})`}
          </a>
        ),
      )}
      {isLong && (
        <Button small look="plain" onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Less' : 'All of it'}
        </Button>
      )}
    </div>
  );
}

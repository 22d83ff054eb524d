import { isObject, type JsonObject } from '../rules/recipe-patch.ts';
import { visible } from '../rules/visible-text.ts';
import style from './values.module.css';

/** Names and values of others, whole: with real line breaks, nothing cut, nothing hidden. */
export const Values = ({ of }: { of: JsonObject }) => (
  <dl className={style.values}>
    {Object.entries(of).map(([name, value]) => (
      <div key={name}>
        <dt className="mono">{visible(name)}</dt>
        <dd>
          <Value of={value} />
        </dd>
      </div>
    ))}
  </dl>
);

/** Words stand in the text's type, everything else in the type of ids. */
const isWords = (text: string) => /\s/.test(text.trim());

function Value({ of }: { of: unknown }) {
  if (typeof of === 'string') {
    if (of === '') return <span className="muted">an empty text</span>;
    return <span className={isWords(of) ? style.words : style.word}>{visible(of)}</span>;
  }
  if (Array.isArray(of)) return <List of={of} />;
  if (isObject(of)) return Object.keys(of).length === 0 ? <Nothing /> : <Values of={of} />;
  return of === null || of === undefined ? <Nothing /> : <span className="mono">{JSON.stringify(of)}</span>;
}

const Nothing = () => <span className="muted">nothing</span>;

const List = ({ of }: { of: readonly unknown[] }) =>
  of.length === 0 ? (
    <Nothing />
  ) : (
    <ol className={style.list}>
      {of.map((value, at) => (
        // Values have no other identity than their place.
        <li key={`${at} of ${of.length}`}>
          <Value of={value} />
        </li>
      ))}
    </ol>
  );

import { RESOURCES, VERBS } from '../rules/scopes.ts';
import { useFault } from '../ui/form.tsx';
import style from './scope-table.module.css';

interface Props {
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
}

/** Resources by verbs; the heading of a column takes all of it. */
export function ScopeTable({ chosen, onChoose }: Props) {
  const fault = useFault('scopes');
  const toggle = (scopes: readonly string[], on: boolean) => {
    const next = new Set(chosen);
    for (const scope of scopes)
      if (on) next.add(scope);
      else next.delete(scope);
    onChoose(next);
  };
  return (
    <>
      <table className={style.scopes} aria-label="Scopes">
        <thead>
          <tr>
            <th scope="col">
              <span className="vh">Resource</span>
            </th>
            {VERBS.map((verb) => (
              <Column key={verb} verb={verb} chosen={chosen} onToggle={toggle} />
            ))}
          </tr>
        </thead>
        <tbody>
          {RESOURCES.map(({ slug, words, verbs }) => (
            <tr key={slug}>
              <th scope="row">{words}</th>
              {VERBS.map((verb) => {
                const scope = `${slug}:${verb}`;
                return (
                  <td key={verb}>
                    {verbs.includes(verb) && (
                      <input
                        type="checkbox"
                        aria-label={`${words}: ${verb}`}
                        checked={chosen.has(scope)}
                        onChange={({ target }) => toggle([scope], target.checked)}
                      />
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {fault !== undefined && (
        <p className="bad" role="alert">
          {fault}
        </p>
      )}
    </>
  );
}

interface ColumnProps {
  verb: (typeof VERBS)[number];
  chosen: ReadonlySet<string>;
  onToggle: (scopes: readonly string[], on: boolean) => void;
}

function Column({ verb, chosen, onToggle }: ColumnProps) {
  const scopes = RESOURCES.filter(({ verbs }) => verbs.includes(verb)).map(({ slug }) => `${slug}:${verb}`);
  const isAll = scopes.every((scope) => chosen.has(scope));
  return (
    <th scope="col">
      <button type="button" aria-pressed={isAll} onClick={() => onToggle(scopes, !isAll)}>
        <span className="vh">All: </span>
        {verb}
      </button>
    </th>
  );
}

import { FIELDS, fieldWords } from '../rules/recipe-content.ts';
import { type JsonObject, patchBetween } from '../rules/recipe-patch.ts';
import { plainText } from '../rules/recipe-text.ts';
import { Diff } from '../ui/diff.tsx';
import { Empty } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import style from './recipe-revision.module.css';

/** A panel a field that differs, as lines. */
export function RevisionDiff({ before, after }: { before: JsonObject; after: JsonObject }) {
  const patch = patchBetween(before, after);
  const names = FIELDS.filter((name) => Object.hasOwn(patch, name));
  if (names.length === 0) return <Empty>The two say the same.</Empty>;
  return (
    <div className={style.fields}>
      {names.map((name) => (
        <Panel key={name} title={fieldWords(name)} aside={<span className="hint mono">{name}</span>} bare>
          <Diff
            before={plainText(before[name])}
            after={plainText(after[name])}
            label={`${fieldWords(name)}, line by line`}
          />
        </Panel>
      ))}
    </div>
  );
}

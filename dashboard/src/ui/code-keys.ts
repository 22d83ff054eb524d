import { Annotation, type ChangeSet, type EditorSelection, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';

/** Letters that follow each other as fast are taken back together. */
const TOGETHER_MS = 500;

interface Step {
  changes: ChangeSet;
  selection: EditorSelection;
  at: number;
}

const isHistory = Annotation.define<boolean>();

/** Undo and redo, and lines that begin where the one before did. */
export function codeKeys(): Extension {
  const done: Step[] = [];
  const undone: Step[] = [];
  const note = EditorView.updateListener.of(({ transactions }) => {
    for (const each of transactions) {
      if (!each.docChanged || each.annotation(isHistory)) continue;
      undone.length = 0;
      const changes = each.changes.invert(each.startState.doc);
      const last = done.at(-1);
      const at = performance.now();
      if (last && at - last.at < TOGETHER_MS) {
        last.changes = changes.compose(last.changes);
        last.at = at;
      } else done.push({ changes, selection: each.startState.selection, at });
    }
  });
  const take = (from: Step[], to: Step[]) => (view: EditorView) => {
    const step = from.pop();
    if (!step) return false;
    const { doc, selection } = view.state;
    to.push({ changes: step.changes.invert(doc), selection, at: 0 });
    view.dispatch({
      changes: step.changes,
      selection: step.selection,
      annotations: isHistory.of(true),
      scrollIntoView: true,
    });
    return true;
  };
  return [
    note,
    keymap.of([
      { key: 'Mod-z', run: take(done, undone), preventDefault: true },
      { key: 'Mod-Shift-z', run: take(undone, done), preventDefault: true },
      { key: 'Mod-y', run: take(undone, done), preventDefault: true },
      { key: 'Enter', run: breakLine },
    ]),
  ];
}

function breakLine(view: EditorView): boolean {
  if (view.state.readOnly) return false;
  const { from } = view.state.selection.main;
  const line = view.state.doc.lineAt(from);
  const [indent = ''] = /^ */.exec(line.text.slice(0, from - line.from)) ?? [];
  view.dispatch(view.state.replaceSelection(`\n${indent}`), { scrollIntoView: true, userEvent: 'input' });
  return true;
}

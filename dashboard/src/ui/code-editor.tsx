import { json, jsonParseLinter } from '@codemirror/lang-json';
import { yaml } from '@codemirror/lang-yaml';
import { type Diagnostic, forceLinting, linter, lintGutter } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import style from './code-editor.module.css';
import { codeKeys } from './code-keys.ts';

export type Language = 'yaml' | 'json';

/** A fault at a place of the text, from 0. */
export interface CodeFault {
  from: number;
  to: number;
  message: string;
}

interface CodeEditorProps {
  label: string;
  language: Language;
  /** Where the text begins; a new `key` begins anew. */
  initial: string;
  onChange?: (text: string) => void;
  faults?: readonly CodeFault[];
  readOnly?: boolean;
}

const LANGUAGES: Record<Language, () => Extension> = { yaml, json };

/**
 * The page's policy refuses the `<style>` that the editor would write into the document. In a shadow root it adopts a
 * style sheet instead.
 */
export function CodeEditor({
  label,
  language,
  initial,
  onChange,
  faults = [],
  readOnly = false,
}: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const state = useRef({ onChange, faults });
  state.current = { onChange, faults };

  useEffect(() => {
    if (!host.current) return undefined;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const extensions = [
      LANGUAGES[language](),
      lineNumbers(),
      codeKeys(),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label }),
      EditorState.readOnly.of(readOnly),
      EditorView.theme(LOOK),
      lintGutter(),
      linter((at) => [
        ...faultsIn(at, state.current.faults),
        ...(language === 'json' ? jsonParseLinter()(at) : []),
      ]),
      EditorView.updateListener.of(({ docChanged, state: { doc } }) => {
        if (docChanged) state.current.onChange?.(doc.toString());
      }),
    ];
    const created = new EditorView({
      root,
      parent: root,
      state: EditorState.create({ doc: initial, extensions }),
    });
    created.scrollDOM.tabIndex = 0;
    view.current = created;
    return () => created.destroy();
  }, [initial, label, language, readOnly]);

  useEffect(() => {
    if (view.current) forceLinting(view.current);
  }, [faults]);

  return <div ref={host} className={style.editor} />;
}

/** Faults outlive the text that they are of by a moment. */
const faultsIn = ({ state: { doc } }: EditorView, faults: readonly CodeFault[]): Diagnostic[] =>
  faults
    .filter(({ to }) => to <= doc.length)
    .map(({ from, to, message }) => ({ from, to, message, severity: 'error' }));

const LOOK = {
  '&': { fontSize: '12.5px', color: 'var(--text)', backgroundColor: 'var(--raised)', maxHeight: '70dvh' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '19px', overflow: 'auto' },
  '.cm-gutters': {
    backgroundColor: 'var(--paper)',
    color: 'var(--muted)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--act-wash) !important',
  },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--text)', border: '1px solid var(--line)' },
};

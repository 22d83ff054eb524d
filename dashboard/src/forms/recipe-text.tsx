import { useState } from 'react';
import { placeOf, readText, type TextFault, type TextLanguage, textOfContent } from '../rules/recipe-text.ts';
import { CodeEditor } from '../ui/code-editor.tsx';
import { useFaults } from '../ui/form.tsx';
import type { Draft } from './recipe-draft.ts';

interface RecipeTextProps {
  language: TextLanguage;
  draft: Draft;
  readOnly: boolean;
  /** True while the text is no recipe. */
  onBroken: (isBroken: boolean) => void;
}

const HINTS: Record<TextLanguage, string> = {
  yaml: 'Comments help while you write and are not saved.',
  json: 'YAML shows the lines of a prompt as lines.',
};

/** The draft as a text. The server's faults stand at the places of their values. */
export function RecipeText({ language, draft, readOnly, onBroken }: RecipeTextProps) {
  const [text, setText] = useState(() => textOfContent(draft.content, language));
  const [initial] = useState(text);
  const [own, setOwn] = useState<readonly TextFault[]>([]);
  const refused = useFaults();
  const change = (next: string) => {
    const { content, faults } = readText(next, language);
    setText(next);
    setOwn(faults);
    onBroken(content === undefined);
    if (content) draft.replace(content);
  };
  const faults =
    own.length > 0
      ? own
      : [...refused].map(([path, message]) => ({ ...placeOf(text, path.split('.')), message }));
  return (
    <>
      <CodeEditor
        label={`The recipe as ${language.toUpperCase()}`}
        language={language}
        initial={initial}
        onChange={change}
        faults={faults}
        readOnly={readOnly}
      />
      {faults.length > 0 ? (
        <p className="hint bad" role="alert">
          {lineWords(text, faults[0])}
        </p>
      ) : (
        <p className="hint">{HINTS[language]}</p>
      )}
    </>
  );
}

const lineWords = (text: string, fault: TextFault | undefined) =>
  fault && `Line ${text.slice(0, fault.from).split('\n').length}: ${fault.message}`;

import type { JsonObject } from '../rules/recipe-patch.ts';
import { type TextLanguage, textOfContent } from '../rules/recipe-text.ts';
import { CodeEditor } from '../ui/code-editor.tsx';

/** A configuration as files have it, to read and to copy. */
export const ConfigurationText = ({ of, language }: { of: JsonObject; language: TextLanguage }) => (
  <CodeEditor
    label={`Configuration as ${language.toUpperCase()}`}
    language={language}
    initial={textOfContent(of, language)}
    readOnly
  />
);

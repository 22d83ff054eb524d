import { lazy, Suspense, useState } from 'react';
import { isObject, type JsonObject } from '../rules/recipe-patch.ts';
import { Button } from './button.tsx';
import { FormFoot } from './field.tsx';
import { Form } from './form.tsx';
import { Skeleton } from './notice.tsx';

const CodeEditor = lazy(() =>
  import('./code-editor.tsx').then(({ CodeEditor: component }) => ({ default: component })),
);

interface ObjectEditorProps {
  label: string;
  of: JsonObject;
  onSave: (object: JsonObject) => Promise<unknown>;
}

/** For what no form knows: a whole object as JSON. */
export function ObjectEditor({ label, of, onSave }: ObjectEditorProps) {
  const [initial] = useState(() => JSON.stringify(of, null, 2));
  const [text, setText] = useState(initial);
  const object = read(text);
  const isSame = object !== undefined && JSON.stringify(object) === JSON.stringify(of);
  return (
    <Form onSave={async () => object && (await onSave(object))}>
      {(pending) => (
        <>
          <Suspense fallback={<Skeleton />}>
            <CodeEditor label={label} language="json" initial={initial} onChange={setText} />
          </Suspense>
          <FormFoot>
            <Button type="submit" look="primary" pending={pending} disabled={!object || isSame}>
              Save
            </Button>
            <span className="hint" role="status">
              {object ? isSame && 'Nothing is changed.' : 'This is not an object in JSON yet.'}
            </span>
          </FormFoot>
        </>
      )}
    </Form>
  );
}

function read(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

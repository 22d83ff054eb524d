import { useState } from 'react';
import { Button } from './button.tsx';
import { refusalOf } from './notice.tsx';
import { saveFile } from './save-file.ts';

/** All rows as a file, read when it is asked for. */
export function Exported({ name, rows }: { name: string; rows: () => Promise<string> }) {
  const [pending, setPending] = useState(false);
  const [words, setWords] = useState('');
  const save = async () => {
    setPending(true);
    setWords('');
    try {
      saveFile(name, await rows());
    } catch (error) {
      setWords(refusalOf(error).words);
    } finally {
      setPending(false);
    }
  };
  return (
    <>
      {words && (
        <span className="bad" role="alert">
          {words}
        </span>
      )}
      <Button icon="download" pending={pending} aria-label={`Save as ${name}`} onClick={() => void save()}>
        CSV
      </Button>
    </>
  );
}

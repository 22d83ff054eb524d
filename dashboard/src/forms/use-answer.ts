import { useRef, useState } from 'react';
import { useWrite } from '../queries.ts';
import { draftOf, keepDraft, newKey } from './drafts.ts';

/** Below an answer: titles of buttons, or a file. */
export interface Extras {
  titles: readonly string[];
  file: File | undefined;
}

const NOTHING: Extras = { titles: [], file: undefined };

const buttonsOf = ({ titles }: Extras) =>
  titles
    .map((title) => title.trim())
    .filter((title) => title !== '')
    .map((title) => ({ id: title, title }));

/** A file is uploaded once, also when the answer with it has to be sent again. */
function useUpload(conversation_id: string) {
  const given = useRef<{ file: File; id: string }>(undefined);
  const { run, pending, error } = useWrite('upload_media');
  const give = async (file: File): Promise<string> => {
    if (given.current?.file === file) return given.current.id;
    const { media_id } = await run({ path: { conversation_id }, body: file });
    given.current = { file, id: media_id };
    return media_id;
  };
  return { give, pending, error };
}

/** An answer as it is written, and its sending. */
export function useAnswer(conversation_id: string) {
  const [text, setText] = useState(() => draftOf(conversation_id));
  const [extras, setExtras] = useState(NOTHING);
  // The same answer has the same key, so that a second try after a lost answer sends it once.
  const key = useRef({ of: '', is: '' });
  const upload = useUpload(conversation_id);
  const write = useWrite('send_message', {
    done: () => {
      key.current = { of: '', is: '' };
      change('');
      setExtras(NOTHING);
    },
  });

  const change = (next: string) => {
    setText(next);
    keepDraft(conversation_id, next);
  };
  const pending = upload.pending || write.pending;
  const send = async () => {
    const { file } = extras;
    if ((text.trim() === '' && !file) || pending) return;
    try {
      const media = file && [{ id: await upload.give(file) }];
      const buttons = buttonsOf(extras);
      const answer = {
        ...(text.trim() !== '' && { text }),
        ...(media ? { media } : buttons.length > 0 && { buttons }),
      };
      const of = JSON.stringify(answer);
      if (key.current.of !== of) key.current = { of, is: newKey() };
      await write.run({ path: { conversation_id }, body: { ...answer, idempotency_key: key.current.is } });
    } catch {
      // Both writes show why.
    }
  };
  return { text, change, extras, setExtras, send, pending, error: upload.error ?? write.error };
}

import type { ChainVerification } from '@agent-control-plane/sdk';
import { useState } from 'react';
import { useWrite } from '../queries.ts';
import { chainWords } from '../rules/chain-words.ts';
import { Button } from '../ui/button.tsx';
import { Failed, Notice } from '../ui/notice.tsx';
import style from './settings-audit.module.css';

interface Props {
  operation: 'verify_changes' | 'verify_tool_calls';
}

/** Asks whether a row was changed or taken out since it was written, and says the answer in words. */
export function ChainCheck({ operation }: Props) {
  const verify = useWrite(operation);
  const [answer, setAnswer] = useState<ChainVerification>();
  const ask = () => verify.run({}).then(setAnswer, () => setAnswer(undefined));
  return (
    <div className={style.chain}>
      <div>
        <h2>Nobody can change this record unseen</h2>
        <p className="hint">
          Each row is chained to the one before, so a row that was altered, removed or moved is found.
        </p>
      </div>
      <Button pending={verify.pending} onClick={() => void ask()}>
        {verify.pending ? 'Is being verified…' : 'Verify the record'}
      </Button>
      <div className={style.answer} role="status">
        {verify.error && !verify.pending ? <Failed error={verify.error} /> : null}
        {answer && !verify.pending && (
          <Notice tone={answer.valid ? 'good' : 'bad'}>{chainWords(answer)}</Notice>
        )}
      </div>
    </div>
  );
}

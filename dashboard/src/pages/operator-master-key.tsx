import type { RewrapResult } from '@agent-control-plane/sdk';
import { useState } from 'react';
import { useOperatorWrite } from '../operator.ts';
import { count, plural } from '../rules/words.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { FormFoot } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Section } from '../ui/page.tsx';
import style from './operator.module.css';

type Way = 'rotate' | 'rewrap';

function resultWords({ remaining, ...keys }: RewrapResult): string {
  const wrapped = Object.values(keys).reduce((sum, n) => sum + n, 0);
  const done = `${plural(wrapped, 'key')} ${wrapped === 1 ? 'is' : 'are'} wrapped anew.`;
  return remaining === 0
    ? `${done} Nothing is left under an earlier master key.`
    : `${done} ${count(remaining)} are left: go on with “Wrap anew”.`;
}

/** The key that all others are encrypted by. */
export function MasterKey() {
  const [way, setWay] = useState<Way>();
  const [result, setResult] = useState<RewrapResult>();
  const rotate = useOperatorWrite('rotate_master_key');
  const rewrap = useOperatorWrite('rewrap_master_key');
  const run = async () => setResult(await (way === 'rotate' ? rotate : rewrap).run({}));
  return (
    <Section title="Master key">
      <p className="muted">
        Credentials, secrets and private keys are kept encrypted under it. An installation on the embedded
        database keeps it in DATA_DIR, every other has it in MASTER_KEY.
      </p>
      <div className={style.result}>
        <FormFoot>
          <Button onClick={() => setWay('rotate')}>Replace the stored key…</Button>
          <Button onClick={() => setWay('rewrap')}>Wrap anew…</Button>
        </FormFoot>
      </div>
      {result && (
        <div className={style.result} role="status">
          <Notice tone={result.remaining === 0 ? 'good' : 'wait'}>{resultWords(result)}</Notice>
        </div>
      )}
      {way && (
        <Confirm
          title={way === 'rotate' ? 'Replace the stored master key?' : 'Wrap everything by the current key?'}
          action={way === 'rotate' ? 'Replace the key' : 'Wrap anew'}
          run={run}
          onClose={() => setWay(undefined)}
        >
          {way === 'rotate'
            ? 'A new key is made and kept in DATA_DIR, everything is wrapped by it, and the one of now is forgotten. Backups from before need the old key.'
            : 'For after MASTER_KEY was changed for every copy of the service. Afterwards MASTER_KEY_PREVIOUS is not needed any more.'}
        </Confirm>
      )}
    </Section>
  );
}

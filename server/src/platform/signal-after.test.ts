import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { signalAfter } from './signal-after.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

it('ends what waits for it or for another signal, whatever is collected meanwhile', async () => {
  const either = AbortSignal.any([new AbortController().signal, signalAfter(100)]);
  const collecting = setInterval(collectGarbage, 10);
  await once(either, 'abort');
  clearInterval(collecting);
  expect(either.reason).toMatchObject({ name: 'TimeoutError' });
});

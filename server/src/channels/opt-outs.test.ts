import { expect, it } from 'vitest';
import { optOutCommandIn } from './opt-outs.ts';

it.each([
  ['stop', ['STOP', 'Stop.', 'please stop', 'Unsubscribe', 'opt-out', 'Abmelden!', 'baja', 'Darme de baja']],
  ['stop', ['arrêter', 'Désinscrire', 'parar', 'Descadastrar', 'disiscrivimi', 'afmelden', 'Uitschrijven']],
  ['start', ['START', 'start please', 'opt in', 'anmelden', 'alta', 'inscrever', 'iscrivimi', 'aanmelden']],
  [undefined, ['stop the crane at noon', 'no parar', 'cancel', 'alta tensión', '']],
] as const)('a message with one of these words alone is %s: %s', (command, texts) => {
  expect(texts.map(optOutCommandIn)).toEqual(texts.map(() => command));
});

import { ControlPlaneError } from '../control-plane.ts';
import { type JsonObject, textOf } from '../json.ts';
import { languageOf } from '../language.ts';
import type { Tool } from './tool.ts';

function newPinOf(args: JsonObject): string | undefined {
  const pin = textOf(args['pin']);
  return pin !== undefined && /^\d{4,12}$/.test(pin) ? pin : undefined;
}

export const setPin: Tool = {
  name: 'set_pin',
  description: 'Sets or replaces the PIN of the person who is writing.',
  action: (_args, { message }) => languageOf(message).say('to_change_pin'),
  parameters: {
    type: 'object',
    properties: { pin: { type: 'string', pattern: '^[0-9]{4,12}$' } },
    required: ['pin'],
    additionalProperties: false,
  },
  private: true,
  replacesPin: (args) => newPinOf(args) !== undefined,
  run: async ({ controlPlane, message }, args) => {
    const { say } = languageOf(message);
    const pin = newPinOf(args);
    if (pin === undefined) return say('pin_length');
    if (message.identity_id === null) return say('introduction');
    try {
      await controlPlane('POST', `/identities/${message.identity_id}/pin`, { body: { pin } });
    } catch (error) {
      // The control plane's message may quote the PIN.
      if (!(error instanceof ControlPlaneError)) throw error;
      throw new ControlPlaneError(error.status, error.detail.replaceAll(pin, '…'));
    }
    return say('pin_set');
  },
};

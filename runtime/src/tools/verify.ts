import { at, textOf } from '../json.ts';
import type { Tool } from './tool.ts';
import { callAsWorker, VerificationRefused } from './worker.ts';

export const verify: Tool = {
  name: 'verify',
  description: 'Confirms that the sender owns the address they write from.',
  action: () => 'confirm your address',
  usage: 'verify yes, verify no, or verify <code>',
  parameters: {
    type: 'object',
    properties: { response: { type: 'string' } },
    required: ['response'],
    additionalProperties: false,
  },
  private: true,
  run: async (context, args) => {
    const response = textOf(args['response']);
    if (response === undefined) return 'Please send "verify yes", "verify no" or "verify <code>".';
    const binding = await callAsWorker(context, 'POST', '/worker/verify', (who) => ({
      body: { ...who, response },
    }));
    if (at(binding, 'verified') === true) {
      const name = textOf(at(binding, 'name'));
      return `Thank you${name === undefined ? '' : `, ${name}`}. This address is verified now.`;
    }
    if (at(binding, 'state') === 'rejected')
      return 'Thank you. This address is not linked to a worker any more.';
    throw new VerificationRefused();
  },
};

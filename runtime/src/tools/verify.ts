import { at, textOf } from '../json.ts';
import { languageOf } from '../language.ts';
import type { Tool } from './tool.ts';
import { callAsWorker, VerificationRefused } from './worker.ts';

export const verify: Tool = {
  name: 'verify',
  description: 'Confirms that the sender owns the address they write from.',
  action: (_args, { message }) => languageOf(message).say('to_verify'),
  parameters: {
    type: 'object',
    properties: { response: { type: 'string' } },
    required: ['response'],
    additionalProperties: false,
  },
  private: true,
  workerPath: '/worker/me/shifts',
  run: async (context, args) => {
    const { say } = languageOf(context.message);
    const response = textOf(args['response']);
    if (response === undefined) return say('verify_how');
    const binding = await callAsWorker(context, 'POST', '/worker/verify', (who) => ({
      body: { ...who, response },
    }));
    if (at(binding, 'verified') === true) {
      const name = textOf(at(binding, 'name'));
      return name === undefined ? say('verified') : say('verified_name', { name });
    }
    if (at(binding, 'state') === 'rejected') return say('unlinked');
    throw new VerificationRefused();
  },
};

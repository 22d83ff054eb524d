import { expect, it } from 'vitest';
import { messageOf, startRuntime } from './support/runtime.ts';

const ALL = [
  'who can',
  'my shifts',
  'log 7.5 hours',
  'find ',
  'verify',
  'set pin',
  'talk to a human',
  'help',
];
const MORE = 'I do more for people I know';

async function helpFor(sender: object, worker: { status: number; body: unknown }, skills?: unknown[]) {
  const runtime = await startRuntime(skills && { skills });
  runtime.controlPlane.routes.set('GET /worker/me/shifts', () => worker);
  await runtime.deliver(messageOf('help', undefined, sender));
  const [text = ''] = runtime.controlPlane.texts();
  return { offered: ALL.filter((usage) => text.includes(`• ${usage}`)), hasMore: text.includes(MORE) };
}

const noWorker = { status: 404, body: { detail: 'Worker not found' } };
const stranger = { identity_id: null };

it.each([
  ['a stranger', stranger, noWorker, ['talk to a human', 'help'], true],
  ['a known sender', {}, noWorker, ['who can', 'find ', 'set pin', 'talk to a human', 'help'], false],
  ['a worker', {}, { status: 200, body: [] }, ALL, false],
  ['an unverified worker', {}, { status: 403, body: { detail: 'The binding is not verified' } }, ALL, false],
])('help offers %s what that sender may do', async (_who, sender, worker, offered, hasMore) => {
  expect(await helpFor(sender, worker)).toEqual({ offered, hasMore });
});

it('help offers strangers a public skill', async () => {
  const skills = [{ slug: 'staff_query', public: true }, 'worker_shifts'];
  const { offered } = await helpFor(stranger, noWorker, skills);
  expect(offered).toEqual(['who can', 'talk to a human', 'help']);
});

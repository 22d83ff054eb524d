import { expect, it } from 'vitest';
import { allSkills } from './support/fake-control-plane.ts';
import { says, startLlm } from './support/fake-llm.ts';
import { customerId, instanceId } from './support/ids.ts';
import { messageOf, startRuntime } from './support/runtime.ts';

/** Messages arrive at 2026-11-20T23:30Z: in Sydney, the morning of the 21st. */
async function startIn(timezone: string | undefined, llmUrl?: string) {
  const runtime = await startRuntime(llmUrl === undefined ? {} : { llmUrl });
  const body = {
    customer_id: customerId,
    instance_id: instanceId,
    config: { skills: allSkills },
    ...(timezone !== undefined && { timezone }),
  };
  runtime.controlPlane.routes.set('GET /customer-config', () => ({ status: 200, body }));
  runtime.controlPlane.routes.set('POST /worker/me/timesheet', () => ({ status: 201, body: {} }));
  return runtime;
}

it.each([
  ['ahead of UTC', 'Australia/Sydney', '2026-11-21', '2026-11-20'],
  ['of a name that is not known here', 'Mars/Olympus', '2026-11-20', '2026-11-19'],
  ['that nobody named', undefined, '2026-11-20', '2026-11-19'],
])('logs hours on the days of a time zone %s', async (_name, timezone, today, yesterday) => {
  const runtime = await startIn(timezone);
  expect(await runtime.say('log 2 hours')).toBe(`Logged 2 hours on ${today}. That day has 2 hours now.`);
  expect(await runtime.say('log 3 hours yesterday')).toBe(
    `Logged 3 hours on ${yesterday}. That day has 3 hours now.`,
  );
  const logged = runtime.controlPlane.to('POST /worker/me/timesheet').map(({ body }) => body);
  expect(logged).toEqual([
    { date: today, hours: 2 },
    { date: yesterday, hours: 3 },
  ]);
});

it('logs evening hours in a time zone behind UTC on the local day', async () => {
  const runtime = await startIn('America/New_York');
  await runtime.deliver(messageOf('log 2 hours', undefined, { received_at: '2026-11-20T02:30:00.000Z' }));
  const [logged] = runtime.controlPlane.to('POST /worker/me/timesheet');
  expect(logged?.body).toEqual({ date: '2026-11-19', hours: 2 });
});

it('shows shifts in the customer’s local time, also across a change to summer time', async () => {
  const runtime = await startIn('Europe/Berlin');
  const shifts = [
    { starts_at: '2026-10-24T22:00:00.000Z', ends_at: '2026-10-25T06:00:00.000Z', site: 'Dock' },
    { starts_at: '2026-11-20T23:30:00.000Z', ends_at: null, site: 'Yard' },
  ];
  runtime.controlPlane.routes.set('GET /worker/me/shifts', () => ({ status: 200, body: shifts }));
  expect(await runtime.say('my shifts')).toBe(
    'Your shifts:\n• 2026-10-25 00:00 to 07:00 Europe/Berlin, Dock\n• 2026-11-21 00:30 Europe/Berlin, Yard',
  );
});

it('gives the model the customer’s local date and time', async () => {
  const llm = await startLlm(says('Good morning.'));
  const runtime = await startIn('Australia/Sydney', llm.url);
  expect(await runtime.say('Good morning')).toBe('Good morning.');
  expect(llm.requests()[0]?.messages[0]?.content).toMatch(
    /\n\nIt is Saturday, 2026-11-21 10:30 Australia\/Sydney\.$/,
  );
});

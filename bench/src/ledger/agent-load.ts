import { deployAgent, upgrade } from './agent.ts';
import { decide } from './approvals.ts';
import { audit } from './audits.ts';
import type { Stage } from './stage.ts';
import { talk } from './talks.ts';
import { meter } from './usage.ts';
import type { Check, WriterContext } from './writers.ts';

const CALLS = 'calls of tools';

/** An agent at work until the run is over: people write, others decide about its calls, and it is upgraded meanwhile. */
export async function employ(context: WriterContext, stage: Stage): Promise<Check> {
  const { book } = context;
  const agent = await deployAgent(context, stage);
  const [talked, decided, upgraded, metered, audited] = await Promise.all([
    talk(context, stage, agent),
    decide(context, stage, agent),
    upgrade(context, agent),
    meter(context, stage, agent),
    audit(context),
  ]);
  return async () => {
    await upgraded();
    // The last messages ask for approvals, and the last approvals are told in messages.
    await talked.settle();
    const approvals = await decided.settle();
    decided.compare(approvals, await talked.compare());
    // A tool is called once for a message (contract, section 14).
    book.compare(CALLS, stage.tools.keysOf('pay'));
    await metered();
    await audited(approvals);
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { ControlPlane, Rollout, RolloutDetail, RolloutItem } from '@agent-control-plane/sdk';
import type { Cli } from '../cli.ts';
import { EXIT, negativeResult } from '../errors.ts';
import { moment } from '../text.ts';

const POLL_MS = 1000;
const UNDER_WAY: readonly Rollout['status'][] = ['running', 'rolling_back'];
const AS_WISHED: readonly Rollout['status'][] = ['succeeded', 'rolled_back', 'paused'];

export const isUnderWay = ({ status }: Rollout): boolean => UNDER_WAY.includes(status);

/** Until it rests or ends. Exits with 1 where it stopped. */
export async function followRollout(
  cli: Cli,
  acp: ControlPlane,
  { id, recipe_id }: Pick<Rollout, 'id' | 'recipe_id'>,
): Promise<void> {
  const { output } = cli;
  const leave = () => {
    output.note('The rollout continues; follow it with "agentctl recipes rollout <recipe> --follow".');
    process.exit(EXIT.interrupted);
  };
  process.prependOnceListener('SIGINT', leave);
  const rollout = await followed(cli, acp, recipe_id, id);
  process.off('SIGINT', leave);
  output.answer(rollout, () => output.line(`rollout ${id}: ${stateOf(rollout)} (${countsOf(rollout)})`));
  if (!AS_WISHED.includes(rollout.status)) throw negativeResult(`the rollout is ${stateOf(rollout)}`);
}

/** One line of progress for each agent that got further, and each pause. */
async function followed(cli: Cli, acp: ControlPlane, recipe_id: string, id: string): Promise<RolloutDetail> {
  const seen = new Map<string, string>();
  let pause: string | null = null;
  for (;;) {
    const rollout = await acp.rollouts.get(recipe_id, id);
    for (const item of await itemsOf(acp, rollout)) {
      if (seen.get(item.instance_id) !== item.status && item.status !== 'waiting')
        cli.output.progress(progressOf(item));
      seen.set(item.instance_id, item.status);
    }
    if (rollout.next_batch_at !== null && rollout.next_batch_at !== pause)
      cli.output.progress(
        `batch ${rollout.batch} is done; the next one begins ${moment(rollout.next_batch_at)}`,
      );
    pause = rollout.next_batch_at;
    if (!isUnderWay(rollout) && rollout.counts.upgrading === 0) return rollout;
    await sleep(POLL_MS);
  }
}

async function itemsOf(acp: ControlPlane, { recipe_id, id, total }: RolloutDetail): Promise<RolloutItem[]> {
  const items: RolloutItem[] = [];
  for (let page = 1; items.length < total; page++) {
    const read = await acp.rollouts.get(recipe_id, id, { page, per_page: 100 });
    if (read.items.length === 0) break;
    items.push(...read.items);
  }
  return items;
}

const progressOf = ({ batch, hostname, status, error }: RolloutItem) =>
  `batch ${batch}  ${hostname}  ${status.replaceAll('_', ' ')}${error === null ? '' : `: ${error}`}`;

export function stateOf({ status, stopped_because }: Rollout): string {
  const words = status.replaceAll('_', ' ');
  return stopped_because === null ? words : `${words}: ${stopped_because.replaceAll('_', ' ')}`;
}

export function countsOf({ counts }: Rollout): string {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  return parts.map(([status, count]) => `${count} ${status.replaceAll('_', ' ')}`).join(', ') || 'none';
}

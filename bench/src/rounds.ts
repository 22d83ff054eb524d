import type { Running, Window } from './contestants/contestant.ts';
import { fewCalls } from './load/fetch.ts';
import { wrk } from './load/wrk.ts';
import { type Measurement, measure } from './measure.ts';
import type { Options } from './options.ts';
import { say } from './say.ts';
import type { Workload } from './workloads/workload.ts';
import type { World } from './world.ts';

const WARM_UP_SECONDS = 1;
/** JIT compilers need this before the first measurement. */
const COMPILE_WINDOW = { connections: 10, seconds: 5 };

export async function checkAll(
  world: World,
  workloads: readonly Workload[],
  running: ReadonlyMap<string, Running>,
): Promise<void> {
  for (const workload of workloads) {
    await workload.prepare?.(world);
    for (const [name, one] of takingPart(workload, running)) {
      const checked = one.kind === 'floor' ? workload.checkScript(world) : workload.check(one, world);
      await checked.catch((error: unknown) => {
        throw new Error(`${name} does "${workload.title}" wrong: ${String(error)}`, { cause: error });
      });
    }
    await workload.reset?.(world);
  }
}

/** Contestants take turns, so that a slow phase of the machine affects all of them. */
export async function runRounds(
  world: World,
  workloads: readonly Workload[],
  running: ReadonlyMap<string, Running>,
  { connections, repeats, seconds, smoke }: Options,
): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  const generate = smoke ? fewCalls : wrk;
  if (!smoke) await warmUp(world, workloads, running);
  for (let repeat = 1; repeat <= repeats; repeat++) {
    for (const workload of workloads) {
      for (const count of connections) {
        for (const [contestant, one] of takingPart(workload, running)) {
          const window: Window = { connections: count, seconds };
          const needsWarmth = one.kind === 'http' && !smoke;
          if (needsWarmth)
            await measure(world, one, workload, { ...window, seconds: WARM_UP_SECONDS }, generate);
          const result = await measure(world, one, workload, window, generate);
          await workload.reset?.(world);
          measurements.push({ workload: workload.name, contestant, connections: count, repeat, ...result });
          say(
            `  ${repeat}/${repeats} ${workload.name} at ${count}: ${contestant} ${Math.round(result.requests_per_s)}/s`,
          );
        }
      }
    }
  }
  return measurements;
}

async function warmUp(
  world: World,
  workloads: readonly Workload[],
  running: ReadonlyMap<string, Running>,
): Promise<void> {
  for (const workload of workloads) {
    for (const [, one] of takingPart(workload, running)) {
      if (one.kind === 'http') await measure(world, one, workload, COMPILE_WINDOW, wrk);
      await workload.reset?.(world);
    }
  }
}

const takingPart = ({ only }: Workload, running: ReadonlyMap<string, Running>) =>
  [...running].filter(([name]) => only === undefined || only.includes(name));

import { grantRequiredConnections, syncGrants } from '../connections/grants.ts';
import { findInstance, findInstanceRuntime } from '../instances/instances.db.ts';
import {
  findUpgrade,
  listComingPlaces,
  listPlaces,
  noteFormerSpec,
  notePinsAdded,
  noteRenewed,
  noteRestored,
  swapDeployments,
  swapInstance,
  type UpgradeRow,
} from '../instances/upgrades.db.ts';
import { addPinSkills, removePinSkills } from '../pins/pin-policies.db.ts';
import { found } from '../platform/errors.ts';
import { findRuntimeState, renewRuntime } from '../runtimes/runtime-hosts.db.ts';
import { sendSecrets, specHashOf } from '../runtimes/runtimes.ts';
import type { ClaimedTask } from './claimed-task.ts';
import { requireUp } from './restart-steps.ts';
import type { Step, StepServices } from './step.ts';

/** Stopped, failed and sleeping instances have no runtime to update. During an upgrade none falls asleep or wakes. */
const isRunning = async ({ q, instance_id }: ClaimedTask): Promise<boolean> => {
  const [instance, runtime] = await q.run(findInstance(instance_id), findRuntimeState(instance_id));
  return instance?.status === 'running' && runtime?.is_asleep === false;
};

const upgradeOf = async ({ q, task_id }: ClaimedTask): Promise<UpgradeRow> =>
  found('Upgrade', await q.run(findUpgrade(task_id)));

/** Sends its secrets to a running runtime, which then also reads its configuration. A starting one fetches both itself. */
export async function updateRuntime(task: ClaimedTask, services: StepServices): Promise<void> {
  if (!(await isRunning(task))) return;
  const runtime = found('Instance', await task.q.run(findInstanceRuntime(task.instance_id)));
  if (runtime.runtime_address) await sendSecrets(services, task.q, runtime);
}

/** Grants exactly the connections that the current configurations require. */
async function syncAllGrants({ q, instance_id }: ClaimedTask): Promise<void> {
  for (const place of await q.run(listPlaces(instance_id))) await syncGrants(q, { instance_id, ...place });
}

const grants: Step = {
  name: 'wire_grants',
  message: 'Connections granted that the new configuration requires',
  async run(task, services) {
    const { q, instance_id, task_id } = task;
    for (const place of await q.run(listComingPlaces(task_id)))
      await grantRequiredConnections(q, { instance_id, ...place });
    await updateRuntime(task, services);
  },
  /** Runs after the earlier configuration was restored. */
  async undo(task, services) {
    await syncAllGrants(task);
    await updateRuntime(task, services);
  },
};

/** Before the new configuration: otherwise its skills would work without a PIN for a moment. */
const rules: Step = {
  name: 'wire_rules',
  message: 'PIN policy extended by the skills that newly require a PIN',
  applies: async (task) => (await upgradeOf(task)).pin_skills.length > 0,
  async run(task) {
    const { pin_skills } = await upgradeOf(task);
    await task.asRunner(async (tx) => {
      const added = await tx.run(addPinSkills(task.instance_id, pin_skills));
      await tx.run(notePinsAdded(task.task_id, added));
    });
  },
  async undo(task) {
    const { pins_added } = await upgradeOf(task);
    if (pins_added) await task.q.run(removePinSkills(task.instance_id, pins_added));
  },
};

const configuration: Step = {
  name: 'apply_configuration',
  message: 'The new configuration is in use',
  async run(task, services) {
    const { q, task_id, instance_id } = task;
    const former = await specHashOf(services, q, instance_id);
    await task.asRunner((tx) =>
      tx.run(noteFormerSpec(task_id, former), swapDeployments(task_id, true), swapInstance(task_id, true)),
    );
  },
  async undo(task) {
    const { task_id, instance_id } = task;
    await task.asRunner((tx) => tx.run(swapDeployments(task_id, false), swapInstance(task_id, false)));
    const { renewed_generation, restored_generation } = await upgradeOf(task);
    if (renewed_generation === null || !(await isRunning(task))) return;
    if (restored_generation === null) {
      await task.asRunner(async (tx) => {
        await tx.run(noteRestored(task_id, await tx.run(renewRuntime(instance_id))));
      });
    }
    await requireUp(task);
  },
};

/** A runtime reads most of its configuration while it runs, but its specification needs a restart. */
const runtime: Step = {
  name: 'renew_runtime',
  message: 'The runtime runs with the new configuration',
  applies: isRunning,
  async run(task, services) {
    const { q, task_id, instance_id } = task;
    const { former_spec_hash, renewed_generation } = await upgradeOf(task);
    if (renewed_generation === null) {
      if ((await specHashOf(services, q, instance_id)) === former_spec_hash) return;
      await task.asRunner(async (tx) => {
        await tx.run(noteRenewed(task_id, await tx.run(renewRuntime(instance_id))));
      });
    }
    await requireUp(task);
  },
};

const channels: Step = {
  name: 'wire_channels',
  message: 'Only the connections that the new configuration requires are left',
  async run(task, services) {
    await syncAllGrants(task);
    await updateRuntime(task, services);
  },
};

/** Grants and PIN rules come before the configuration that needs them. */
export const upgradeSteps = (health: Step): readonly Step[] => [
  grants,
  rules,
  configuration,
  runtime,
  channels,
  { ...health, applies: isRunning },
];

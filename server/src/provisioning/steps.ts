import { setTimeout as sleep } from 'node:timers/promises';
import { deleteEnrollmentTokens } from '../certificates/enrollment-tokens.db.ts';
import { revokeCertificatesOf } from '../certificates/revocations.db.ts';
import { deleteGrants, revokeGrants } from '../connections/grants.db.ts';
import { grantRequiredConnections } from '../connections/grants.ts';
import { attachOnboarding, releaseDeployment, releaseDeploymentsOf } from '../instances/deployments.db.ts';
import { allocate, deallocate, findInstance, findInstanceRuntime } from '../instances/instances.db.ts';
import { isRestarting } from '../instances/restarts.db.ts';
import type { TaskKind } from '../instances/tasks.contract.ts';
import { isRunnersTask } from '../instances/tasks.db.ts';
import { insertPinPolicy } from '../pins/pin-policies.db.ts';
import type { TenantTx } from '../platform/db/queryable.ts';
import { found } from '../platform/errors.ts';
import { enforcesPins } from '../recipes/composition/pin-enforcement.ts';
import { pinSkillsOf } from '../recipes/fields/skills.ts';
import { messageSecretContext } from '../runtimes/agent-secrets.ts';
import { endLlmKey } from '../runtimes/llm-keys.db.ts';
import { deleteProxyKeys, findSealedProxyKey } from '../runtimes/proxy-keys.db.ts';
import { addProxyKey } from '../runtimes/proxy-keys.ts';
import {
  beginRuntime,
  findRuntimeState,
  keepRuntime,
  releaseRuntime,
  unwantRuntime,
} from '../runtimes/runtime-hosts.db.ts';
import { whyRuntimeFailed } from '../runtimes/runtime-reasons.ts';
import { sendSecrets } from '../runtimes/runtimes.ts';
import { mintSecret } from '../secrets/secret-formats.ts';
import type { ClaimedTask } from './claimed-task.ts';
import { NotYet, PermanentFailure } from './failures.ts';
import { moveSteps } from './move-steps.ts';
import { restartSteps } from './restart-steps.ts';
import type { Step } from './step.ts';
import { updateRuntime, upgradeSteps } from './upgrade-steps.ts';

const HEALTH_TRIES = 50;
const HEALTH_INTERVAL_MS = 100;

const allocation: Step = {
  name: 'allocate',
  message: 'Proxy key and tunnel address allocated',
  async run(task, services) {
    const { q, instance_id } = task;
    const message_secret = await services.keyring.seal(q, mintSecret(), messageSecretContext(instance_id));
    const { proxy_key } = await task.asRunner((tx) =>
      tx.run({
        allocated: allocate(instance_id, message_secret),
        proxy_key: findSealedProxyKey(instance_id),
      }),
    );
    if (!proxy_key) await addProxyKey(services, q, instance_id);
  },
  async undo(task) {
    await task.asRunner((tx) => tx.run(...endIdentity(task.instance_id)));
  },
};

const runtimeStart: Step = {
  name: 'start_runtime',
  message: 'Runtime started',
  async run(task, { settings: { host_id } }) {
    const { q, instance_id } = task;
    await task.asRunner((tx) =>
      tx.run(beginRuntime(instance_id, host_id), keepRuntime(instance_id, host_id)),
    );
    const { phase, reason, last_line, wanted } = found(
      'Instance',
      await q.run(findRuntimeState(instance_id)),
    );
    if (!wanted) throw new NotYet('The former runtime is being ended');
    if (phase === 'up') return;
    if (phase === 'gone' && reason) throw new PermanentFailure(whyRuntimeFailed(reason, last_line));
    throw new NotYet('The runtime is starting');
  },
  undo: endRuntime,
};

/** Waits for the host that has the runtime. */
async function endRuntime(task: ClaimedTask): Promise<void> {
  const { q, instance_id } = task;
  const host = await task.asRunner((tx) => tx.run(unwantRuntime(instance_id)));
  if (host !== null) throw new NotYet('The runtime is being ended');
  await q.run(releaseRuntime(instance_id), endLlmKey(instance_id));
}

/**
 * Deletes everything that identifies the instance. Updates the instance's own row first, which locks it: a concurrent
 * enrollment or renewal either commits before and is deleted, too, or finds no address.
 */
const endIdentity = (instance_id: string) =>
  [
    deallocate(instance_id),
    revokeCertificatesOf(instance_id, 'cessation_of_operation'),
    deleteEnrollmentTokens(instance_id),
    deleteProxyKeys(instance_id),
  ] as const;

/** In a transaction that locks the instance. */
export async function releaseAll(tx: TenantTx, instance_id: string): Promise<void> {
  await tx.run(...endIdentity(instance_id), deleteGrants(instance_id), releaseDeploymentsOf(instance_id));
}

const grants: Step = {
  name: 'wire_grants',
  message: 'The customer’s connections granted',
  async run(task) {
    const { customer_id, resolved_config } = await task.deployment();
    if (customer_id === null) return;
    const connection_requirements = resolved_config.connection_requirements as unknown[];
    const place = { instance_id: task.instance_id, customer_id, connection_requirements };
    await grantRequiredConnections(task.q, place);
  },
  async undo(task) {
    const { customer_id, ...deployment } = await task.deployment();
    if (customer_id !== null) await task.q.run(revokeGrants({ ...deployment, customer_id }));
  },
};

const channels: Step = {
  name: 'wire_channels',
  message: 'Channel credentials handed to the runtime',
  async run(task, services) {
    await sendSecrets(services, task.q, await getRuntime(task));
  },
};

/** For a customer who joins: a runtime that sleeps, or is woken meanwhile, fetches its secrets itself. */
const joinedChannels: Step = {
  ...channels,
  async run(task, services) {
    const [runtime, state] = await task.q.run(
      findInstanceRuntime(task.instance_id),
      findRuntimeState(task.instance_id),
    );
    const isReached = runtime?.runtime_address !== null || !(state?.is_asleep || state?.is_waking);
    if (isReached) await channels.run(task, services);
  },
};

const rules: Step = {
  name: 'wire_rules',
  message: 'PIN policy made from the recipe',
  async run(task) {
    const { resolved_config } = await task.deployment();
    const pin_required_skills = pinSkillsOf(resolved_config);
    const enforced = enforcesPins(resolved_config);
    await task.q.run(insertPinPolicy(task.instance_id, { pin_required_skills, enforced }));
  },
};

const onboarding: Step = {
  name: 'wire_onboarding',
  message: 'Onboarding flow attached',
  async run(task) {
    const { id, resolved_config } = await task.deployment();
    await task.q.run(attachOnboarding(id, resolved_config.onboarding_flow_id as string));
  },
  /** An unknown flow is a violation of the deployment, and is not attached. */
  async applies(task) {
    const { resolved_config, violations } = await task.deployment();
    const isUnknown = violations.some(({ path }) => path === '/onboarding_flow_id');
    return (resolved_config.onboarding_flow_id ?? null) !== null && !isUnknown;
  },
};

const health: Step = {
  name: 'wait_for_health',
  message: 'The runtime is healthy',
  async run(task, services) {
    for (let attempt = 1; attempt <= HEALTH_TRIES; attempt++) {
      const [isWanted, runtime] = await task.q.run(
        isRunnersTask(task, 'running'),
        findInstanceRuntime(task.instance_id),
      );
      if (!isWanted) break;
      const address = runtime?.runtime_address;
      if (address && (await services.runtimes.isHealthy(address))) return;
      await sleep(HEALTH_INTERVAL_MS);
    }
    const runtime = await task.q.run(findInstanceRuntime(task.instance_id));
    const reason = runtime?.runtime_address
      ? await services.runtimes.whyUnhealthy(runtime.runtime_address)
      : '';
    throw new Error(`The runtime did not become healthy${reason && `: ${reason}`}`);
  },
};

const nodeRunning: Step = {
  name: 'wait_for_node',
  message: 'The shared instance is running',
  async run({ q, instance_id }) {
    const [instance, isBeingRestarted] = await q.run(findInstance(instance_id), isRestarting(instance_id));
    if (instance?.status === 'running') {
      if (isBeingRestarted) throw new NotYet('The shared instance is being restarted');
      return;
    }
    const isComing = instance?.status === 'pending' || instance?.status === 'provisioning';
    if (!isComing) throw new PermanentFailure('The shared instance is gone');
    throw new NotYet('The shared instance is not running yet');
  },
};

const place: Step = {
  name: 'place',
  message: 'Placed on the instance',
  async run() {},
  alwaysUndone: true,
  async undo({ q, deployment_id }) {
    if (deployment_id) await q.run(releaseDeployment(deployment_id));
  },
};

const runtimeStop: Step = { name: 'stop_runtime', message: 'Runtime stopped', run: endRuntime };

const release: Step = {
  name: 'release',
  message: 'Identity, grants and places given back',
  run: (task) => task.asRunner((tx) => releaseAll(tx, task.instance_id)),
};

/** The request itself released the deployment. */
const departure: Step = {
  name: 'revoke_grants',
  message: 'A customer’s connections taken from the instance',
  async run(task, services) {
    const { customer_id, ...deployment } = await task.deployment();
    if (customer_id !== null) await task.q.run(revokeGrants({ ...deployment, customer_id }));
    await updateRuntime(task, services);
  },
};

/** In order. A permanent failure undoes the begun ones in reverse order. */
export const stepsOf: Readonly<Record<TaskKind, readonly Step[]>> = {
  provision: [allocation, runtimeStart, grants, channels, rules, onboarding, health],
  join: [place, nodeRunning, grants, joinedChannels, onboarding],
  leave: [departure],
  start: [runtimeStart, channels, health],
  restart: restartSteps(channels, health),
  move: moveSteps(runtimeStart, channels, health),
  stop: [runtimeStop],
  terminate: [runtimeStop, release],
  upgrade: upgradeSteps(health),
};

const getRuntime = async ({ q, instance_id }: ClaimedTask) =>
  found('Instance', await q.run(findInstanceRuntime(instance_id)));

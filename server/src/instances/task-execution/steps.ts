import { setTimeout as sleep } from 'node:timers/promises';
import { elementSlug } from '../../catalogue/slugs.ts';
import { revokeCertificatesOf } from '../../certificates/certificates.db.ts';
import { deleteEnrollmentTokens } from '../../certificates/enrollment-tokens.db.ts';
import { deleteGrants, revokeGrants } from '../../connections/grants.db.ts';
import { grantAtPlace } from '../../connections/grants.ts';
import { insertPinPolicy } from '../../pins/pin-policies.db.ts';
import type { Queryable, TenantQueryable } from '../../platform/db/queryable.ts';
import { isJsonObject } from '../../platform/json/json-object.ts';
import { mintSecret } from '../../secrets/secret-formats.ts';
import type { Services } from '../../services.ts';
import { messageSecretContext } from '../agent-secrets.ts';
import {
  attachOnboarding,
  type DeploymentRow,
  releaseDeployment,
  releaseDeploymentsOf,
} from '../deployments.db.ts';
import { allocate, deallocate, findInstance, getInstanceRuntime } from '../instances.db.ts';
import { deleteProxyKeys, findSealedProxyKey } from '../proxy-keys.db.ts';
import { addProxyKey } from '../proxy-keys.ts';
import { claimRuntime, unwantRuntime } from '../runtime-hosts.db.ts';
import { sendSecrets, startRuntime, stopRuntime } from '../runtimes.ts';
import type { RunnableTask } from '../tasks.db.ts';
import { NotYet, PermanentFailure } from './failures.ts';

/** What a step works with. */
export interface StepContext {
  services: Services;
  tenant_id: string;
  task: RunnableTask;
  q: TenantQueryable;
  /** What the task is to bring about; read once, for it stays as it was accepted. */
  deployment: () => Promise<DeploymentRow>;
  /**
   * What only the task's runner may do, in one transaction: instance and task are held, in this order, until it is done.
   * Throws TakenOver, and nothing was done, where another runner has the task, who may have taken everything back.
   */
  asRunner: <T>(work: (tx: Queryable) => Promise<T>) => Promise<T>;
  /** Whether the task is still to go on: nobody has canceled it, and no other runner has taken it. */
  isWanted: () => Promise<boolean>;
}

/** One step of a task: safe to do twice, and, where it leaves something behind, to undo twice. */
export interface Step {
  name: string;
  /** What its event says. */
  message: string;
  run(context: StepContext): Promise<void>;
  undo?(context: StepContext): Promise<void>;
  /** What it undoes was done before the task began. */
  undoneAlways?: boolean;
}

const HEALTH_TRIES = 50;
const HEALTH_INTERVAL_MS = 100;

const allocation: Step = {
  name: 'allocate',
  message: 'Proxy key and tunnel address allocated',
  async run({ services, q, task, asRunner }) {
    const { instance_id } = task;
    const context = messageSecretContext(instance_id);
    const message_secret = await services.keyring.seal(q, mintSecret(), context);
    const proxy_key = await asRunner(async (tx) => {
      const [, sealed] = await Promise.all([
        allocate(tx, instance_id, message_secret),
        findSealedProxyKey(tx, instance_id),
      ]);
      return sealed;
    });
    if (!proxy_key) await addProxyKey(services, q, instance_id);
  },
  undo: ({ services, task, asRunner }) =>
    asRunner((tx) => endIdentity(tx, task.instance_id, services.clock())),
};

const runtimeStart: Step = {
  name: 'start_runtime',
  message: 'Runtime started',
  async run({ services, q, task, asRunner }) {
    const { instance_id } = task;
    const isClaimed = await asRunner((tx) => claimRuntime(tx, instance_id, services.settings.host_id));
    if (isClaimed) return startRuntime(services, q, instance_id);
    const { runtime_address } = await getInstanceRuntime(q, instance_id);
    if (runtime_address === null) throw new NotYet('Another host is starting the instance');
  },
  undo: endRuntime,
};

/** Here, or by asking the host that has it, which is then waited for by trying again. */
async function endRuntime({ services, q, task, asRunner }: StepContext): Promise<void> {
  const { instance_id } = task;
  const host = await asRunner((tx) => unwantRuntime(tx, instance_id));
  if (host !== null && host !== services.settings.host_id)
    throw new NotYet('The host of the runtime is ending it');
  await stopRuntime(services, q, instance_id);
}

/**
 * Takes away all that the instance is known by. Its own row comes first, and is held: who enrolls or renews at that
 * moment either is done before, and loses it again, or finds no address.
 */
async function endIdentity(tx: Queryable, instance_id: string, now: Date): Promise<void> {
  await Promise.all([
    deallocate(tx, instance_id),
    revokeCertificatesOf(tx, instance_id, 'cessation_of_operation', now),
    deleteEnrollmentTokens(tx, instance_id),
    deleteProxyKeys(tx, instance_id),
  ]);
}

/** Takes from an instance whatever it has, in the transaction that ends it or holds it while it is being ended. */
export async function releaseAll(tx: Queryable, instance_id: string, now: Date): Promise<void> {
  await Promise.all([
    endIdentity(tx, instance_id, now),
    tx.rows(deleteGrants(instance_id)),
    releaseDeploymentsOf(tx, instance_id, now),
  ]);
}

const grants: Step = {
  name: 'wire_grants',
  message: 'The customer’s connections granted',
  async run({ q, task, deployment }) {
    const { customer_id, resolved_config } = await deployment();
    const connection_requirements = resolved_config.connection_requirements as unknown[];
    const { instance_id } = task;
    await grantAtPlace(q, { instance_id, customer_id, connection_requirements });
  },
  async undo({ q, deployment }) {
    await q.run(revokeGrants(await deployment()));
  },
};

const channels: Step = {
  name: 'wire_channels',
  message: 'Channel credentials handed to the runtime',
  async run({ services, q, task }) {
    await sendSecrets(services, q, await getInstanceRuntime(q, task.instance_id));
  },
};

const rules: Step = {
  name: 'wire_rules',
  message: 'PIN policy made from the recipe',
  async run({ q, task, deployment }) {
    const { resolved_config } = await deployment();
    const skills = (resolved_config.skills as unknown[]).filter(isPinRequired);
    await insertPinPolicy(
      q,
      task.instance_id,
      skills.flatMap((skill) => elementSlug(skill) ?? []),
    );
  },
};

const onboarding: Step = {
  name: 'wire_onboarding',
  message: 'Onboarding flow attached',
  async run({ q, deployment }) {
    const { id, resolved_config } = await deployment();
    await attachOnboarding(q, id, (resolved_config.onboarding_flow_id as string | null | undefined) ?? null);
  },
};

const health: Step = {
  name: 'wait_for_health',
  message: 'The runtime is healthy',
  async run({ services, q, task, isWanted }) {
    for (let attempt = 1; attempt <= HEALTH_TRIES; attempt++) {
      const [wanted, { runtime_address }] = await Promise.all([
        isWanted(),
        getInstanceRuntime(q, task.instance_id),
      ]);
      if (!wanted) break;
      if (runtime_address && (await services.runtimes.isHealthy(runtime_address))) return;
      await sleep(HEALTH_INTERVAL_MS);
    }
    throw new Error('The runtime did not become healthy');
  },
};

const nodeRunning: Step = {
  name: 'wait_for_node',
  message: 'The shared instance is running',
  async run({ q, task }) {
    const instance = await findInstance(q, task.instance_id);
    if (instance?.status === 'running') return;
    const coming = instance?.status === 'pending' || instance?.status === 'provisioning';
    if (!coming) throw new PermanentFailure('The shared instance is gone');
    throw new NotYet('The shared instance is not running yet');
  },
};

const place: Step = {
  name: 'place',
  message: 'Placed on the instance',
  async run() {},
  undoneAlways: true,
  async undo({ services, q, task }) {
    if (task.deployment_id) await releaseDeployment(q, task.deployment_id, services.clock());
  },
};

const runtimeStop: Step = { name: 'stop_runtime', message: 'Runtime stopped', run: endRuntime };

const release: Step = {
  name: 'release',
  message: 'Identity, grants and places given back',
  run: ({ services, task, asRunner }) => asRunner((tx) => releaseAll(tx, task.instance_id, services.clock())),
};

/** The steps of each kind of task, in order; a failure for good undoes those that have begun in reverse. */
export const stepsOf: Readonly<Record<RunnableTask['kind'], readonly Step[]>> = {
  provision: [allocation, runtimeStart, grants, channels, rules, onboarding, health],
  join: [place, nodeRunning, grants, channels, onboarding],
  start: [runtimeStart, channels, health],
  stop: [runtimeStop],
  terminate: [runtimeStop, release],
};

const isPinRequired = (skill: unknown) => isJsonObject(skill) && skill.pin_required === true;

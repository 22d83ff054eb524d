import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { CertificateAuthority } from '../certificates/certificate-authority.ts';
import { addEnrollmentToken } from '../certificates/enrollment-tokens.ts';
import { findInstanceRuntime, type InstanceRuntimeRow } from '../instances/instances.db.ts';
import type { Database } from '../platform/db/database.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { found } from '../platform/errors.ts';
import { readModelPolicy } from '../recipes/fields/model-policy.ts';
import { mintLlmKey } from '../secrets/secret-formats.ts';
import {
  type AgentSecrets,
  messageSecretContext,
  openProxyKey,
  readAgentSecrets,
  type TenantKeyring,
} from './agent-secrets.ts';
import type { Mint, Minted, RuntimeSpec } from './engine.port.ts';
import { keepLease } from './leases.db.ts';
import { findModelsOf, replaceLlmKey } from './llm-keys.db.ts';
import type { Place } from './place.port.ts';
import { findSealedProxyKey } from './proxy-keys.db.ts';
import { addProxyKey } from './proxy-keys.ts';
import type { RuntimeClient } from './runtime-client.port.ts';
import { type HostedRuntime, mayMint, noteSpecHash } from './runtime-hosts.db.ts';

interface RuntimeSettings {
  base_url: () => string;
  mtls_url: () => string;
  chatapp_api_base_url: string;
  /** Another program runs in place of the runtime that the service comes with. */
  replaces_runtime?: boolean;
  llm: { base_url: string; api_key: string; model: string } | undefined;
}

interface EnvironmentServices {
  db: Database;
  settings: RuntimeSettings;
}

export interface SpecServices {
  db: Database;
  keyring: TenantKeyring;
  authority: Pick<CertificateAuthority, 'trustBundle'>;
  settings: RuntimeSettings;
}

interface WantedRuntime {
  spec: RuntimeSpec;
  mint: Mint;
}

/**
 * Stores the specification's hash, with which the running one is compared.
 * @returns undefined: the place is not responsible for that generation any more
 */
export async function runtimeToRun(
  services: SpecServices,
  place: Place,
  hosted: HostedRuntime,
): Promise<WantedRuntime | undefined> {
  const { id, tenant_id, generation } = hosted;
  const q = services.db.tenant(tenant_id);
  const spec = await specOf(services, q, hosted);
  const isCurrent = await q.run(noteSpecHash(id, place, generation, spec.hash));
  return isCurrent ? { spec, mint: () => mint(services, place, hosted) } : undefined;
}

/** Without credentials of connections, which the running runtime receives later. */
async function specOf(
  services: SpecServices,
  q: TenantQueryable,
  { id, tenant_id, generation, cpu_millis, memory_mib }: HostedRuntime,
): Promise<RuntimeSpec> {
  const lasting = { cpu_millis, memory_mib, ...(await startOf(services, q, id)) };
  return {
    ...lasting,
    instance_id: id,
    tenant_id,
    generation,
    // Not in the hash: a runtime gets a new authority with its next renewal, without a restart.
    environment: {
      ...lasting.environment,
      CONTROL_PLANE_CA: await services.authority.trustBundle(),
      RUNTIME_GENERATION: String(generation),
    },
    hash: hashOf(lasting),
  };
}

const hashOf = (lasting: object) => createHash('sha256').update(JSON.stringify(lasting)).digest('hex');

/** Without the tier's limits. When it changes, the runtime must be restarted. */
export const specHashOf = async (
  services: SpecServices,
  q: TenantQueryable,
  instance_id: string,
): Promise<string> => hashOf(await startOf(services, q, instance_id));

/** The part of the specification that depends on the instance's configuration. */
async function startOf(services: EnvironmentServices, q: TenantQueryable, id: string) {
  const runtime = found('Instance', await q.run(findInstanceRuntime(id)));
  const { command, image, internet } = runtime;
  return {
    ...(command && { command }),
    ...(image && { image }),
    internet,
    environment: await environmentOf(services, runtime),
  };
}

async function environmentOf(services: EnvironmentServices, runtime: InstanceRuntimeRow) {
  const { chatapp_api_base_url, mtls_url } = services.settings;
  return {
    CONTROL_PLANE_URL: addressFor(services, runtime),
    CONTROL_PLANE_MTLS_URL: mtls_url(),
    INSTANCE_ID: runtime.id,
    VPN_IP: runtime.tunnel_address ?? '',
    // The service marks messages as read for its own runtime.
    ...(!isOwn(services, runtime) && {
      CHATAPP_API_BASE_URL: runtime.chatapp_api_base_url ?? chatapp_api_base_url,
    }),
    ...(await modelEnvironment(services, runtime)),
  };
}

/** Runtimes that are no processes of this machine have one way in: prompts and keys must not cross a network in clear. */
const addressFor = ({ settings }: EnvironmentServices, { engine }: InstanceRuntimeRow) =>
  engine === 'process' ? settings.base_url() : settings.mtls_url();

const isOwn = ({ settings }: EnvironmentServices, { engine, command, is_built_in }: InstanceRuntimeRow) =>
  engine === 'process' ? !command && !settings.replaces_runtime : is_built_in;

/** Empty when there is no provider or no model. */
async function modelEnvironment(
  services: EnvironmentServices,
  runtime: InstanceRuntimeRow,
): Promise<Record<string, string>> {
  const { db, settings } = services;
  const { id } = runtime;
  const row = await db.system.run(findModelsOf(id));
  const model = readModelPolicy({ model_policy: row?.model_policy }).model ?? settings.llm?.model;
  if (model === undefined || !(settings.llm || row?.has_provider)) return {};
  const LLM_BASE_URL = `${addressFor(services, runtime)}/internal/v1/instances/${id}/llm`;
  return { LLM_BASE_URL, LLM_MODEL: model };
}

/** Credentials for one start, made in one transaction, during which the place cannot lose its lease. */
async function mint(
  { db, keyring }: SpecServices,
  place: Place,
  { id, tenant_id, generation }: HostedRuntime,
): Promise<Minted | undefined> {
  return db.tenant(tenant_id).transaction(async (q) => {
    const { may, row, sealed_proxy_key } = await q.run({
      kept: keepLease(place),
      may: mayMint(id, place, generation),
      row: findInstanceRuntime(id),
      sealed_proxy_key: findSealedProxyKey(id),
    });
    if (!may) return undefined;
    const { enrollment_token } = await addEnrollmentToken(q, id);
    const llm = mintLlmKey();
    await q.run(replaceLlmKey(id, llm.key_hash));
    const kept_proxy_key = await openProxyKey(q, keyring, id, sealed_proxy_key);
    return {
      ENROLLMENT_TOKEN: enrollment_token,
      // An admin may have deleted all keys.
      PROXY_KEY: kept_proxy_key ?? (await addProxyKey({ keyring }, q, id)),
      MESSAGE_SECRET: await openMessageSecret(keyring, q, found('Instance', row)),
      LLM_API_KEY: llm.key,
    };
  });
}

function openMessageSecret(
  keyring: TenantKeyring,
  q: TenantQueryable,
  { id, sealed_message_secret }: InstanceRuntimeRow,
): Promise<string> {
  if (!sealed_message_secret) throw new Error(`Instance ${id} has no message secret`);
  return keyring.open(q, sealed_message_secret, messageSecretContext(id));
}

/** Concurrent calls may arrive in another order than they read, so it reads again after sending, and repeats after a change. */
export async function sendSecrets(
  { keyring, runtimes }: { keyring: TenantKeyring; runtimes: RuntimeClient },
  q: TenantQueryable,
  runtime: InstanceRuntimeRow,
): Promise<void> {
  if (!runtime.runtime_address) throw new Error('The runtime has no address yet');
  const message_secret = await openMessageSecret(keyring, q, runtime);
  for (let sent: AgentSecrets | undefined; ; ) {
    const secrets = await readAgentSecrets(q, keyring, runtime.id);
    if (isDeepStrictEqual(secrets, sent)) return;
    await runtimes.putSecrets(runtime.runtime_address, message_secret, secrets);
    sent = secrets;
  }
}

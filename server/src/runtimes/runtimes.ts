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
import { findModelsOf, replaceLlmKey } from './llm-keys.db.ts';
import { findSealedProxyKey } from './proxy-keys.db.ts';
import { addProxyKey } from './proxy-keys.ts';
import type { RuntimeClient } from './runtime-client.port.ts';
import { findHostedRuntime, type HostedRuntime, noteSpecHash } from './runtime-hosts.db.ts';

interface RuntimeSettings {
  host_id: string;
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

/** Stores the specification's hash, with which the running one is compared. */
export async function runtimeToRun(services: SpecServices, hosted: HostedRuntime): Promise<WantedRuntime> {
  const { db, settings } = services;
  const { id, tenant_id, generation } = hosted;
  const q = db.tenant(tenant_id);
  const spec = await specOf(services, q, hosted);
  await q.run(noteSpecHash(id, settings.host_id, generation, spec.hash));
  return { spec, mint: () => mint(services, tenant_id, id) };
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
  const { command, internet } = runtime;
  return { ...(command && { command }), internet, environment: await environmentOf(services, runtime) };
}

async function environmentOf(services: EnvironmentServices, runtime: InstanceRuntimeRow) {
  const { chatapp_api_base_url, replaces_runtime, base_url, mtls_url } = services.settings;
  return {
    CONTROL_PLANE_URL: base_url(),
    CONTROL_PLANE_MTLS_URL: mtls_url(),
    INSTANCE_ID: runtime.id,
    VPN_IP: runtime.tunnel_address ?? '',
    // The service marks messages as read for its own runtime.
    ...((runtime.command || replaces_runtime) && {
      CHATAPP_API_BASE_URL: runtime.chatapp_api_base_url ?? chatapp_api_base_url,
    }),
    ...(await modelEnvironment(services, runtime.id)),
  };
}

/** Empty when there is no provider or no model. */
async function modelEnvironment(
  { db, settings }: EnvironmentServices,
  id: string,
): Promise<Record<string, string>> {
  const row = await db.system.run(findModelsOf(id));
  const model = readModelPolicy({ model_policy: row?.model_policy }).model ?? settings.llm?.model;
  if (model === undefined || !(settings.llm || row?.has_provider)) return {};
  return { LLM_BASE_URL: `${settings.base_url()}/internal/v1/instances/${id}/llm`, LLM_MODEL: model };
}

/** Credentials for one start. */
async function mint(
  services: SpecServices,
  tenant_id: string,
  instance_id: string,
): Promise<Minted | undefined> {
  const { db, keyring, settings } = services;
  const q = db.tenant(tenant_id);
  const hosted = await db.system.run(findHostedRuntime(instance_id, settings.host_id));
  if (!hosted?.is_mine || !hosted.wanted) return undefined;
  const [row, sealed_proxy_key] = await q.run(
    findInstanceRuntime(instance_id),
    findSealedProxyKey(instance_id),
  );
  const { enrollment_token } = await addEnrollmentToken(q, instance_id);
  const llm = mintLlmKey();
  await q.run(replaceLlmKey(instance_id, llm.key_hash));
  const kept_proxy_key = await openProxyKey(q, keyring, instance_id, sealed_proxy_key);
  return {
    ENROLLMENT_TOKEN: enrollment_token,
    // An admin may have deleted all keys.
    PROXY_KEY: kept_proxy_key ?? (await addProxyKey({ keyring }, q, instance_id)),
    MESSAGE_SECRET: await openMessageSecret(keyring, q, found('Instance', row)),
    LLM_API_KEY: llm.key,
  };
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

import { isDeepStrictEqual } from 'node:util';
import type { CertificateAuthority } from '../certificates/certificate-authority.ts';
import { addEnrollmentToken } from '../certificates/enrollment-tokens.ts';
import type { Database } from '../platform/db/database.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { found } from '../platform/errors.ts';
import {
  type AgentSecrets,
  messageSecretContext,
  openProxyKey,
  readAgentSecrets,
  type TenantKeyring,
} from './agent-secrets.ts';
import type { Engine, RuntimeSpec } from './engine.port.ts';
import { findInstanceRuntime, findInstanceTenant, type InstanceRuntimeRow } from './instances.db.ts';
import { findSealedProxyKey } from './proxy-keys.db.ts';
import { addProxyKey } from './proxy-keys.ts';
import type { RuntimeClient } from './runtime-client.port.ts';
import { isRuntimeWanted, releaseRuntime, setRuntimeAddress } from './runtime-hosts.db.ts';

/** The part of the service's settings that runtimes are started with. */
interface RuntimeSettings {
  host_id: string;
  base_url: () => string;
  mtls_url: () => string;
  chatapp_api_base_url: string;
  llm: { base_url: string; api_key: string; model: string } | undefined;
}

interface SpecServices {
  keyring: TenantKeyring;
  authority: Pick<CertificateAuthority, 'trustBundle'>;
  settings: RuntimeSettings;
}

export interface RuntimeServices extends SpecServices {
  engine: Engine;
}

/** Starts an instance's runtime on this host, which has to be responsible for it. */
export async function startRuntime(
  services: RuntimeServices,
  q: TenantQueryable,
  instance_id: string,
): Promise<void> {
  const address = await services.engine.start(await runtimeSpec(services, q, instance_id));
  await q.run(setRuntimeAddress(instance_id, services.settings.host_id, address));
}

/** Ends an instance's runtime on this host and gives up the responsibility for it, unless it is wanted again. */
export async function stopRuntime(
  { engine }: { engine: Engine },
  q: TenantQueryable,
  instance_id: string,
): Promise<void> {
  await engine.stop(instance_id);
  await q.run(releaseRuntime(instance_id));
}

/**
 * The environment of an instance's runtime, with an enrollment token that is good for this start alone. The runtime gets
 * the credentials of connections later, once it runs.
 */
async function runtimeSpec(
  { keyring, authority, settings }: SpecServices,
  q: TenantQueryable,
  instance_id: string,
): Promise<RuntimeSpec> {
  const { llm, chatapp_api_base_url, base_url, mtls_url } = settings;
  const [row, sealed_proxy_key] = await q.run(
    findInstanceRuntime(instance_id),
    findSealedProxyKey(instance_id),
  );
  const runtime = found('Instance', row);
  const { enrollment_token } = await addEnrollmentToken(q, instance_id);
  const kept_proxy_key = await openProxyKey(q, keyring, instance_id, sealed_proxy_key);
  return {
    instance_id,
    environment: {
      CONTROL_PLANE_URL: base_url(),
      CONTROL_PLANE_MTLS_URL: mtls_url(),
      CONTROL_PLANE_CA: await authority.trustBundle(),
      INSTANCE_ID: instance_id,
      // An instance whose keys were ended begins with a new one.
      PROXY_KEY: kept_proxy_key ?? (await addProxyKey({ keyring }, q, instance_id)),
      ENROLLMENT_TOKEN: enrollment_token,
      VPN_IP: runtime.tunnel_address ?? '',
      MESSAGE_SECRET: await openMessageSecret(keyring, q, runtime),
      CHATAPP_API_BASE_URL: runtime.chatapp_api_base_url ?? chatapp_api_base_url,
      ...(llm && { LLM_BASE_URL: llm.base_url, LLM_API_KEY: llm.api_key, LLM_MODEL: llm.model }),
    },
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

/**
 * Sends a runtime the secrets that it may use now. Concurrent senders may arrive in another order than they read, so each
 * reads again after sending, and sends again when the secrets have changed.
 */
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

/** Tells an engine how to start a runtime again that has died; undefined when it should not run here any more. */
export async function respawnSpec(
  services: SpecServices & { db: Database },
  instance_id: string,
): Promise<RuntimeSpec | undefined> {
  const { db, settings } = services;
  const tenant_id = await db.system.run(findInstanceTenant(instance_id));
  if (!tenant_id) return undefined;
  const q = db.tenant(tenant_id);
  const isWanted = await q.run(isRuntimeWanted(instance_id, settings.host_id));
  return isWanted ? runtimeSpec(services, q, instance_id) : undefined;
}

/** Stores an engine's report of the address where a runtime listens now; null when the runtime is gone. */
export async function recordAddress(
  { db, settings }: { db: Database; settings: Pick<RuntimeSettings, 'host_id'> },
  instance_id: string,
  address: string | null,
): Promise<void> {
  const tenant_id = await db.system.run(findInstanceTenant(instance_id));
  if (!tenant_id) return;
  await db.tenant(tenant_id).run(setRuntimeAddress(instance_id, settings.host_id, address));
}

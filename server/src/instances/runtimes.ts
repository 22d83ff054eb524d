import { createHash } from 'node:crypto';
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
import type { Engine, Mint, Minted, RuntimeSpec } from './engine.port.ts';
import { findInstanceRuntime, type InstanceRuntimeRow } from './instances.db.ts';
import { findSealedProxyKey } from './proxy-keys.db.ts';
import { addProxyKey } from './proxy-keys.ts';
import type { RuntimeClient } from './runtime-client.port.ts';
import { findHostedRuntime, type HostedRuntime, noteSpecHash } from './runtime-hosts.db.ts';

/** The part of the service's settings that runtimes are started with. */
interface RuntimeSettings {
  host_id: string;
  base_url: () => string;
  mtls_url: () => string;
  chatapp_api_base_url: string;
  llm: { base_url: string; api_key: string; model: string } | undefined;
}

export interface SpecServices {
  keyring: TenantKeyring;
  authority: Pick<CertificateAuthority, 'trustBundle'>;
  settings: RuntimeSettings;
}

export interface RuntimeServices extends SpecServices {
  engine: Engine;
}

/** A runtime that is to run on this host. */
export interface WantedRuntime {
  spec: RuntimeSpec;
  minted: Mint;
}

/** The specification of a hosted runtime; its hash is noted, so that what runs can be compared with it. */
export async function runtimeToRun(
  services: SpecServices & { db: Database },
  hosted: HostedRuntime,
): Promise<WantedRuntime> {
  const { db, settings } = services;
  const { id, tenant_id, generation } = hosted;
  const q = db.tenant(tenant_id);
  const spec = await specOf(services, q, hosted);
  await q.run(noteSpecHash(id, settings.host_id, generation, spec.hash));
  return { spec, minted: () => mint(services, tenant_id, id) };
}

/** Tells an engine which runtime of an instance is to run on this host; undefined: none. */
export async function findRuntimeToRun(
  services: SpecServices & { db: Database },
  instance_id: string,
): Promise<WantedRuntime | undefined> {
  const { db, settings } = services;
  const hosted = await db.system.run(findHostedRuntime(instance_id, settings.host_id));
  return hosted?.is_mine && hosted.wanted ? runtimeToRun(services, hosted) : undefined;
}

/** The runtime gets the credentials of connections later, once it runs. */
async function specOf(
  { authority, settings }: SpecServices,
  q: TenantQueryable,
  { id, tenant_id, generation, cpu_millis, memory_mib }: HostedRuntime,
): Promise<RuntimeSpec> {
  const { llm, chatapp_api_base_url, base_url, mtls_url } = settings;
  const runtime = found('Instance', await q.run(findInstanceRuntime(id)));
  const environment = {
    CONTROL_PLANE_URL: base_url(),
    CONTROL_PLANE_MTLS_URL: mtls_url(),
    INSTANCE_ID: id,
    VPN_IP: runtime.tunnel_address ?? '',
    CHATAPP_API_BASE_URL: runtime.chatapp_api_base_url ?? chatapp_api_base_url,
    ...(llm && { LLM_BASE_URL: llm.base_url, LLM_API_KEY: llm.api_key, LLM_MODEL: llm.model }),
  };
  const lasting = { cpu_millis, memory_mib, environment };
  return {
    ...lasting,
    instance_id: id,
    tenant_id,
    generation,
    // Not in the hash: a further authority ends no runtime, which learns of it at its next renewal.
    environment: { ...environment, CONTROL_PLANE_CA: await authority.trustBundle() },
    hash: createHash('sha256').update(JSON.stringify(lasting)).digest('hex'),
  };
}

/** Makes what is good for one start alone. */
async function mint(
  services: SpecServices & { db: Database },
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
  const kept_proxy_key = await openProxyKey(q, keyring, instance_id, sealed_proxy_key);
  return {
    ENROLLMENT_TOKEN: enrollment_token,
    // An instance whose keys were ended begins with a new one.
    PROXY_KEY: kept_proxy_key ?? (await addProxyKey({ keyring }, q, instance_id)),
    MESSAGE_SECRET: await openMessageSecret(keyring, q, found('Instance', row)),
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

import { isDeepStrictEqual } from 'node:util';
import { addEnrollmentToken } from '../certificates/enrollment-tokens.ts';
import type { Queryable, TenantQueryable } from '../platform/db/queryable.ts';
import type { Services } from '../services.ts';
import { type AgentSecrets, messageSecretContext, readAgentSecrets, readProxyKey } from './agent-secrets.ts';
import type { RuntimeSpec } from './engine.port.ts';
import { findInstanceTenant, getInstanceRuntime, type InstanceRuntimeRow } from './instances.db.ts';
import { isRuntimeWanted, releaseRuntime, setRuntimeAddress } from './runtime-hosts.db.ts';

/** Starts an instance's runtime on this host, which has to be responsible for it. */
export async function startRuntime(
  services: Services,
  q: TenantQueryable,
  instance_id: string,
): Promise<void> {
  const address = await services.engine.start(await runtimeSpec(services, q, instance_id));
  await setRuntimeAddress(q, instance_id, services.settings.host_id, address);
}

/** Ends an instance's runtime on this host; nobody is responsible for it any more, unless it is wanted again by now. */
export async function stopRuntime(services: Services, q: Queryable, instance_id: string): Promise<void> {
  await services.engine.stop(instance_id);
  await releaseRuntime(q, instance_id);
}

/**
 * The environment of an instance's runtime: what it reaches the service by, and a token to enroll with, good for this
 * start alone. What it may use beside that it is told once it runs.
 */
async function runtimeSpec(
  services: Services,
  q: TenantQueryable,
  instance_id: string,
): Promise<RuntimeSpec> {
  const { llm, chatapp_api_base_url, base_url, mtls_url } = services.settings;
  const [runtime, { enrollment_token }, proxy_key, trust_bundle] = await Promise.all([
    getInstanceRuntime(q, instance_id),
    addEnrollmentToken(services, q, instance_id),
    readProxyKey(q, services.keyring, instance_id),
    services.authority.trustBundle(services.clock()),
  ]);
  return {
    instance_id,
    environment: {
      CONTROL_PLANE_URL: base_url(),
      CONTROL_PLANE_MTLS_URL: mtls_url(),
      CONTROL_PLANE_CA: trust_bundle,
      INSTANCE_ID: instance_id,
      PROXY_KEY: proxy_key ?? '',
      ENROLLMENT_TOKEN: enrollment_token,
      VPN_IP: runtime.tunnel_address ?? '',
      MESSAGE_SECRET: await messageSecret(services, q, runtime),
      CHATAPP_API_BASE_URL: runtime.chatapp_api_base_url ?? chatapp_api_base_url,
      ...(llm && { LLM_BASE_URL: llm.base_url, LLM_API_KEY: llm.api_key, LLM_MODEL: llm.model }),
    },
  };
}

function messageSecret(
  { keyring }: Services,
  q: TenantQueryable,
  { id, sealed_message_secret }: InstanceRuntimeRow,
): Promise<string> {
  if (!sealed_message_secret) throw new Error(`Instance ${id} has no message secret`);
  return keyring.open(q, sealed_message_secret, messageSecretContext(id));
}

/**
 * Tells a runtime what it may use now. Of several that tell it at once the last to arrive may have looked first, so each
 * looks again afterwards, and tells what has changed since.
 */
export async function sendSecrets(
  services: Services,
  q: TenantQueryable,
  runtime: InstanceRuntimeRow,
): Promise<void> {
  if (!runtime.runtime_address) throw new Error('The runtime has no address yet');
  const { keyring } = services;
  const message_secret = await messageSecret(services, q, runtime);
  for (let told: AgentSecrets | undefined; ; ) {
    const secrets = await readAgentSecrets(q, keyring, runtime.id);
    if (isDeepStrictEqual(secrets, told)) return;
    await services.runtimes.putSecrets(runtime.runtime_address, message_secret, secrets);
    told = secrets;
  }
}

/** What an engine asks when a runtime has died: how to start it again; undefined when it is not to run here any more. */
export async function respawnSpec(services: Services, instance_id: string): Promise<RuntimeSpec | undefined> {
  const tenant_id = await findInstanceTenant(services.db.system, instance_id);
  if (!tenant_id) return undefined;
  const q = services.db.tenant(tenant_id);
  const wanted = await isRuntimeWanted(q, instance_id, services.settings.host_id);
  return wanted ? runtimeSpec(services, q, instance_id) : undefined;
}

/** What an engine reports: where a runtime listens now, or that it is gone. */
export async function recordAddress(
  services: Services,
  instance_id: string,
  address: string | null,
): Promise<void> {
  const tenant_id = await findInstanceTenant(services.db.system, instance_id);
  if (!tenant_id) return;
  await setRuntimeAddress(services.db.tenant(tenant_id), instance_id, services.settings.host_id, address);
}

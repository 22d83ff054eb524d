import type { Minted, RuntimeSpec } from '../../runtimes/engine.port.ts';

/** Runtimes listen there in their containers. */
export const RUNTIME_PORT = 8700;

/** Environment of a runtime in a container (contract, section 19). Holds secrets. */
export const environmentOf = (spec: RuntimeSpec, minted: Minted): Readonly<Record<string, string>> => ({
  ...spec.environment,
  ...minted,
  INSTANCE_ID: spec.instance_id,
  TLS: 'on',
  HOST: '0.0.0.0',
  PORT: String(RUNTIME_PORT),
  STATE_DIR: '/state',
});

/** Says why no container can have the environment; undefined: it can. */
export function whyUnfit(environment: Readonly<Record<string, string>>): string | undefined {
  const [name] = Object.entries(environment).find(([, value]) => value.includes('\0')) ?? [];
  return name === undefined ? undefined : `${name} must not contain NUL`;
}

/** With the instance whose certificate has to be there. */
export const addressAt = (ip: string, instance_id: string) =>
  `https://${ip.includes(':') ? `[${ip}]` : ip}:${RUNTIME_PORT}#${instance_id}`;

import { expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { startAuthority } from './support/authority.ts';
import { instanceId } from './support/ids.ts';
import { environment } from './support/runtime.ts';

const env = environment('http://127.0.0.1:8080/', 'https://graph.example');

it('applies the defaults', () => {
  const { PORT: _, ...least } = env;
  expect(readConfig(least)).toEqual({
    controlPlaneUrl: 'http://127.0.0.1:8080',
    identity: undefined,
    instanceId,
    proxyKey: env['PROXY_KEY'],
    messageSecret: env['MESSAGE_SECRET'],
    host: '127.0.0.1',
    port: 8700,
    isOverTls: false,
    chatappApiBaseUrl: 'https://graph.example/v23.0',
    llm: undefined,
    logLevel: 'info',
  });
});

it.each([
  ['CONTROL_PLANE_URL', ''],
  ['CONTROL_PLANE_URL', 'ftp://secret-value'],
  ['INSTANCE_ID', 'secret-value'],
  ['PROXY_KEY', ''],
  ['MESSAGE_SECRET', ''],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['CHATAPP_API_BASE_URL', 'secret-value'],
  ['CONTROL_PLANE_MTLS_URL', 'http://secret-value'],
  ['LLM_BASE_URL', 'secret-value'],
  ['LOG_LEVEL', 'secret-value'],
  ['TLS', 'secret-value'],
])('reports %s when it is %j, in one line and without the value', (name, value) => {
  const read = () => readConfig({ ...env, [name]: value });
  expect(read).toThrow(new RegExp(`^The runtime cannot start: ${name} [^\\n;]+$`));
  expect(read).not.toThrow(/secret-value/);
});

it('listens over TLS only with an identity', () => {
  expect(() => readConfig({ ...env, TLS: 'on' })).toThrow(/: TLS=on needs CONTROL_PLANE_MTLS_URL$/);
  expect(readConfig({ ...enrolling, TLS: 'on' }).isOverTls).toBe(true);
  expect(readConfig({ ...enrolling, TLS: 'off' }).isOverTls).toBe(false);
});

it('requires a model with an endpoint', () => {
  expect(() => readConfig({ ...env, LLM_BASE_URL: 'http://127.0.0.1:1/v1' })).toThrow(/LLM_MODEL is missing/);
});

it('reports all invalid settings at once', () => {
  expect(() => readConfig({})).toThrow(/CONTROL_PLANE_URL.*INSTANCE_ID.*PROXY_KEY.*MESSAGE_SECRET/);
});

const { ca_pem } = await startAuthority();
const enrolling = {
  ...env,
  CONTROL_PLANE_MTLS_URL: 'https://127.0.0.1:8443/',
  CONTROL_PLANE_CA: ca_pem,
  VPN_IP: '10.64.0.2',
  STATE_DIR: '/var/lib/agent',
};

it('reads the settings for enrollment', () => {
  expect(readConfig(enrolling).identity).toEqual({
    mtlsUrl: 'https://127.0.0.1:8443',
    caPem: ca_pem,
    vpnIp: '10.64.0.2',
    stateDir: '/var/lib/agent',
    enrollmentToken: undefined,
    secretsRefreshMs: 300_000,
  });
  const more = { ENROLLMENT_TOKEN: 'token', SECRETS_REFRESH_SECONDS: '60' };
  expect(readConfig({ ...enrolling, ...more }).identity).toMatchObject({
    enrollmentToken: 'token',
    secretsRefreshMs: 60_000,
  });
});

it.each([
  ['CONTROL_PLANE_CA', ''],
  ['CONTROL_PLANE_CA', 'secret-value'],
  ['CONTROL_PLANE_CA', ca_pem.replaceAll(/[A-Z]/g, 'x')],
  ['VPN_IP', ''],
  ['VPN_IP', 'secret-value'],
  ['VPN_IP', '192.168.0.1'],
  ['STATE_DIR', ''],
  ['STATE_DIR', 'secret-value'],
  ['SECRETS_REFRESH_SECONDS', '9'],
  ['SECRETS_REFRESH_SECONDS', 'secret-value'],
])('reports %s when it is %j and the runtime enrolls', (name, value) => {
  const read = () => readConfig({ ...enrolling, [name]: value });
  expect(read).toThrow(new RegExp(`^The runtime cannot start: ${name} [^\\n;]+$`));
  expect(read).not.toThrow(/secret-value/);
});

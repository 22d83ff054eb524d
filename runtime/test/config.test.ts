import { expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { instanceId } from './support/ids.ts';
import { environment } from './support/runtime.ts';

const env = environment('http://127.0.0.1:8080/', 'https://graph.example');

it('fills in what may be left out', () => {
  const { AGENT_SECRETS: _, PORT: __, ...least } = env;
  expect(readConfig(least)).toEqual({
    controlPlaneUrl: 'http://127.0.0.1:8080',
    instanceId,
    proxyKey: env['PROXY_KEY'],
    messageSecret: env['MESSAGE_SECRET'],
    host: '127.0.0.1',
    port: 8700,
    chatappApiBaseUrl: 'https://graph.example/v23.0',
    agentSecrets: { connections: {} },
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
  ['AGENT_SECRETS', '{"connections": secret-value'],
  ['AGENT_SECRETS', '{"connections": ["secret-value"]}'],
  ['LLM_BASE_URL', 'secret-value'],
  ['LOG_LEVEL', 'secret-value'],
])('names %s when it is %j, in one line and without the value', (name, value) => {
  const read = () => readConfig({ ...env, [name]: value });
  expect(read).toThrow(new RegExp(`^The runtime cannot start: ${name} [^\\n;]+$`));
  expect(read).not.toThrow(/secret-value/);
});

it('wants a model where there is an endpoint', () => {
  expect(() => readConfig({ ...env, LLM_BASE_URL: 'http://127.0.0.1:1/v1' })).toThrow(/LLM_MODEL is missing/);
});

it('names every fault at once', () => {
  expect(() => readConfig({})).toThrow(
    /CONTROL_PLANE_URL.*INSTANCE_ID.*PROXY_KEY.*MESSAGE_SECRET.*CHATAPP_API_BASE_URL/,
  );
});

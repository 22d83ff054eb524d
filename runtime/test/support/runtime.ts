import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { buildRuntime } from '../../src/build.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { type FakeControlPlane, startControlPlane } from './fake-control-plane.ts';
import { type FakeSendApi, startSendApi } from './fake-send-api.ts';
import {
  accessToken,
  conversationId,
  customerId,
  identityId,
  instanceId,
  messageSecret,
  phoneNumberId,
  proxyKey,
} from './ids.ts';

export interface Answer {
  status: number;
  body: unknown;
  headers: Headers;
}

export interface TestRuntime {
  url: string;
  controlPlane: FakeControlPlane;
  sendApi: FakeSendApi;
  logged: () => string;
  advance: (ms: number) => void;
  request: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answer>;
  /** Like the control plane. */
  deliver: (message: object) => Promise<Answer>;
  /** @returns the answer's text */
  say: (text: string, from?: string) => Promise<string | undefined>;
}

/** Short for a hanging call, but long enough for others on a busy machine. */
export const impatient = { controlPlaneMs: 1500, sendMs: 1500, llmMs: 1500 };

interface TestOptions {
  skills?: unknown[];
  llmUrl?: string;
  /** The model's endpoint is the control plane's gateway. */
  gateway?: true;
  secrets?: object;
  timeouts?: { controlPlaneMs: number; sendMs: number; llmMs: number };
}

let lastId = 0;

/** Contract, section 7, around a message of the Cloud API. */
export function messageOf(
  text: string | null,
  from: string | undefined = '61400000001',
  fields: object = {},
) {
  lastId += 1;
  const message_id = `wamid.in-${lastId}`;
  return {
    message_id,
    message_ids: [message_id],
    conversation_id: conversationId,
    channel: 'chatapp',
    external_id: from,
    customer_id: customerId,
    identity_id: identityId,
    kind: 'text',
    text,
    media: [],
    reply_id: null,
    history: [],
    received_at: '2026-11-20T23:30:00.000Z',
    raw: {
      metadata: { display_phone_number: '15550783881', phone_number_id: phoneNumberId },
      contacts: [{ profile: { name: 'Sam' }, wa_id: from }],
      message: { from, id: message_id, timestamp: '1763681400', type: 'text', text: { body: text } },
    },
    ...fields,
  };
}

export function environment(controlPlaneUrl: string, sendApiUrl: string): Record<string, string> {
  return {
    CONTROL_PLANE_URL: controlPlaneUrl,
    INSTANCE_ID: instanceId,
    PROXY_KEY: proxyKey,
    MESSAGE_SECRET: messageSecret,
    PORT: '0',
    CHATAPP_API_BASE_URL: `${sendApiUrl}/v23.0`,
  };
}

export const agentSecrets = {
  connections: {
    [customerId]: [
      { provider: 'google_drive', name: 'files', credentials: { refresh_token: 'not-for-the-channel' } },
      { provider: 'chatapp', name: 'main', credentials: { access_token: accessToken } },
    ],
  },
};

export async function request(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = { authorization: `Bearer ${messageSecret}` },
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: body === undefined || typeof body === 'string' ? (body ?? null) : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? undefined : JSON.parse(text),
    headers: response.headers,
  };
}

/** In this process, with fakes of the control plane and the send API. */
export async function startRuntime(options: TestOptions = {}): Promise<TestRuntime> {
  const controlPlane = await startControlPlane(options.skills);
  const sendApi = await startSendApi();
  const lines: string[] = [];
  let time = Date.parse('2026-11-20T23:30:00.000Z');
  const config = readConfig({
    ...environment(controlPlane.url, sendApi.url),
    ...(options.gateway && {
      LLM_BASE_URL: `${controlPlane.url}/internal/v1/instances/${instanceId}/llm`,
      LLM_MODEL: 'test-model',
      LLM_API_KEY: proxyKey,
    }),
    ...(options.llmUrl === undefined ? {} : { LLM_BASE_URL: options.llmUrl, LLM_MODEL: 'test-model' }),
  });
  const { server } = buildRuntime(config, {
    log: createLog('debug', (line) => lines.push(line)),
    now: () => time,
    perf: { now: () => time },
    random: () => 0.5,
    onRestartNeeded: () => expect.fail('There is no identity to lose'),
    onReplaced: () => undefined,
    ...(options.timeouts && { timeouts: options.timeouts }),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await request(`${url}/secrets`, 'PUT', options.secrets ?? agentSecrets);
  const deliver = (message: object) => request(`${url}/messages`, 'POST', message);
  return {
    url,
    controlPlane,
    sendApi,
    logged: () => lines.join(''),
    advance: (ms) => {
      time += ms;
    },
    request: (method, path, body, headers) => request(url + path, method, body, headers),
    deliver,
    say: async (text, from) => {
      const before = controlPlane.texts().length;
      await deliver(messageOf(text, from));
      return controlPlane.texts().slice(before).join('\n---\n') || undefined;
    },
  };
}

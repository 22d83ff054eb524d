import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OpenAiTranscriber } from '../../src/adapters/openai-transcriber.ts';

const requests: { path: string; authorization: string | undefined; body: string }[] = [];
let answer: { status: number; body: string } | undefined;
const server: Server = createServer((request, response) => void serve(request, response));
let transcriber: OpenAiTranscriber;

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url = '', headers } = request;
  requests.push({ path: url, authorization: headers.authorization, body: await text(request) });
  if (answer) response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
}

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  transcriber = new OpenAiTranscriber({ base_url, api_key: 'sk-secret', model: 'whisper' });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const transcribe = (signal = AbortSignal.timeout(60_000)) =>
  transcriber.transcribe({ bytes: Buffer.from('recording'), mime_type: 'audio/ogg; codecs=opus' }, signal);

it('sends the recording as a file and returns the text', async () => {
  answer = { status: 200, body: '{"text":"Are you open?"}' };
  expect(await transcribe()).toEqual({ text: 'Are you open?', seconds: null });
  expect(requests[0]).toMatchObject({ path: '/v1/audio/transcriptions', authorization: 'Bearer sk-secret' });
  expect(requests[0]?.body).toMatch(/name="model"\r\n\r\nwhisper\r\n/);
  expect(requests[0]?.body).toMatch(
    /name="file"; filename="voice\.ogg"\r\nContent-Type: audio\/ogg\r\n\r\nrecording\r\n/,
  );
});

it.each([
  [{ status: 401, body: '{"error":{"message":"Incorrect key sk-secret"}}' }, 'answered with 401'],
  [{ status: 200, body: '{"words":[]}' }, 'the response has no text'],
  [{ status: 200, body: '<p>' }, /^\w+$/],
  [{ status: 200, body: `{"text":"${'x'.repeat(1024 * 1024)}"}` }, /^\w+$/],
])('fails with a short reason', async (given, reason) => {
  answer = given;
  await expect(transcribe()).rejects.toThrow(
    expect.objectContaining({ message: expect.stringMatching(reason) }) as Error,
  );
});

it.each([
  ['"usage":{"type":"duration","seconds":3}', 3],
  ['"duration":2.5', 2.5],
  ['"duration":1e30', 86_400],
  ['"usage":{"type":"tokens","input_tokens":4}', null],
])('reads the length from %s', async (member, seconds) => {
  answer = { status: 200, body: `{"text":"x",${member}}` };
  expect(await transcribe()).toEqual({ text: 'x', seconds });
});

it('ends with its signal', async () => {
  answer = undefined;
  await expect(transcribe(AbortSignal.timeout(50))).rejects.toThrow('no response in time');
});

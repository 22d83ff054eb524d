import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { at } from '../src/json.ts';
import { says } from './support/fake-llm.ts';
import type { FakeReply } from './support/fake-server.ts';
import { messageOf, startRuntime } from './support/runtime.ts';

const pixels = Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0x00]);
const url = `data:image/jpeg;base64,${pixels.toString('base64')}`;
const noPictures = 'I cannot look at pictures here. Please write what it is about.';
const picture = (text: string | null = null, media: object = {}) =>
  messageOf(text, undefined, {
    kind: 'image',
    media: [{ id: 'm-1', mime_type: 'image/jpeg', size: pixels.length, ...media }],
  });
const binary = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'image/jpeg' }).end(pixels);
};

/** With the gateway and a model with these capabilities. */
async function startWith(capabilities: string[], media: FakeReply = binary) {
  const runtime = await startRuntime({ gateway: true });
  const { routes, to } = runtime.controlPlane;
  routes.set('GET /llm/models', () => ({
    status: 200,
    body: {
      object: 'list',
      data: [
        { id: 'test-model', capabilities },
        { id: 'next', capabilities: [] },
      ],
    },
  }));
  routes.set('GET /media/m-1', () => media);
  routes.set('POST /llm/chat/completions', () => says('A yellow crane.'));
  const questions = () =>
    to('POST /llm/chat/completions').map(({ body }) => {
      const messages = at(body, 'messages');
      return Array.isArray(messages) ? at(messages.at(-1), 'content') : undefined;
    });
  return { runtime, questions };
}

it('sends a picture to a vision model, with or without a caption', async () => {
  const { runtime, questions } = await startWith(['tools', 'vision']);
  await runtime.deliver(picture());
  await runtime.deliver(picture('What is this?'));
  expect(runtime.controlPlane.texts()).toEqual(['A yellow crane.', 'A yellow crane.']);
  const image = { type: 'image_url', image_url: { url } };
  expect(questions()).toEqual([
    [{ type: 'text', text: '[A picture without words.]' }, image],
    [{ type: 'text', text: 'What is this?' }, image],
  ]);
  expect(runtime.controlPlane.to('GET /llm/models')).toHaveLength(1);
});

it('says that it cannot see pictures with another model', async () => {
  const { runtime, questions } = await startWith(['tools']);
  await runtime.deliver(picture());
  await runtime.deliver(picture('What is this?'));
  expect(runtime.controlPlane.texts()).toEqual([noPictures, 'A yellow crane.']);
  expect(questions()).toEqual([expect.stringContaining('[Something was attached that you cannot see')]);
  expect(runtime.controlPlane.to('GET /media/m-1')).toEqual([]);
});

it.each([
  ['the channel is down', {}, { status: 502, body: { detail: 'The channel did not answer' } }],
  ['it is too large', { size: 6 * 1024 * 1024 }, binary],
  ['no model accepts its format', { mime_type: 'image/tiff' }, binary],
] as const)('says that it cannot see a picture when %s', async (_, media, reply) => {
  const { runtime, questions } = await startWith(['vision'], reply);
  expect(await runtime.deliver(picture(null, media))).toMatchObject({ status: 200 });
  expect(runtime.controlPlane.texts()).toEqual([noPictures]);
  expect(questions()).toEqual([]);
});

it('treats a transcribed voice note as text', async () => {
  const { runtime, questions } = await startWith([]);
  const media = [{ id: 'm-2', mime_type: 'audio/ogg; codecs=opus', size: null }];
  await runtime.deliver(messageOf('Where do I work?', undefined, { kind: 'audio', media }));
  expect(questions()).toEqual(['Where do I work?']);
});

it('says that the model is down, not that it cannot see', async () => {
  const { runtime } = await startWith(['vision']);
  runtime.controlPlane.routes.set('POST /llm/chat/completions', () => ({ status: 400, body: {} }));
  await runtime.deliver(picture());
  expect(runtime.controlPlane.texts()[0]).toContain('I cannot think about that right now.');
});

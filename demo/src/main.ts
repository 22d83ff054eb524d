import { ConnectionError, ControlPlane } from '@agent-control-plane/sdk';
import { connectChannel } from './channel.ts';
import { startChatappEmulator } from './chatapp-emulator.ts';
import { createScreen } from './console.ts';
import { converse, sayThroughWebhook } from './conversation.ts';
import { readCredentials } from './credentials.ts';
import { gatherCrew } from './crew.ts';
import type { Demo } from './demo.ts';
import { abandon, deploy, terminate } from './deployment.ts';
import { DemoError } from './errors.ts';
import { plan } from './planning.ts';
import { newScenario } from './scenario.ts';
import { createStep, StepError } from './step.ts';
import { summarize } from './summary.ts';

const ABANDON_WITHIN_MS = 5000;

async function run(demo: Demo): Promise<void> {
  const planned = await plan(demo);
  const instance_id = await deploy(demo, planned);
  await connectChannel(demo, planned.customer_id, instance_id);
  await gatherCrew(demo, planned.customer_id);
  demo.screen.heading('Talk to the agent');
  await converse(sayThroughWebhook(demo), demo.scenario.pin);
  await terminate(demo, instance_id);
}

async function prepare(signal: AbortSignal): Promise<Demo> {
  const step = createStep(screen);
  screen.heading('Server');
  const credentials = await step(
    'Read the credentials',
    () => readCredentials(process.env),
    ({ path }) => path,
  );
  const { base_url, api_key, operations_token } = credentials;
  const acp = new ControlPlane({ baseUrl: base_url, apiKey: api_key, operationsToken: operations_token });
  await step(
    'Ask whether it is ready',
    () => requireReady(acp, base_url, signal),
    () => base_url,
  );
  const scenario = newScenario();
  const emulator = await step(
    'Listen as the chat app',
    () => startChatappEmulator(scenario),
    ({ base_url: address }) => `${address}, in place of the channel’s send API`,
  );
  return { acp, credentials, scenario, emulator, screen, step, signal, made: {} };
}

async function requireReady(acp: ControlPlane, base_url: string, signal: AbortSignal): Promise<void> {
  try {
    await acp.operations.getReadiness({ signal, retries: 0 });
  } catch (error) {
    if (!(error instanceof ConnectionError && error.message.includes('ECONNREFUSED'))) throw error;
    throw new DemoError(
      `No server answers at ${base_url}: start it with "npm start" in another terminal, then try again`,
    );
  }
}

async function cleanUp(demo: Demo): Promise<void> {
  const { acp, made } = demo;
  if (!made.region_id && !made.instance_id) return;
  try {
    await abandon({ acp, made, signal: AbortSignal.timeout(ABANDON_WITHIN_MS) });
  } catch (error) {
    screen.line(`    The demo could not clean up after itself: ${(error as Error).message}`);
  }
}

function stopOnSignal(): AbortSignal {
  const stopping = new AbortController();
  const stop = () => {
    if (stopping.signal.aborted) process.exit(1);
    stopping.abort(new DemoError('Interrupted'));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return stopping.signal;
}

async function main(): Promise<number> {
  const began = performance.now();
  let demo: Demo | undefined;
  try {
    demo = await prepare(stopOnSignal());
    await run(demo);
    summarize(demo, performance.now() - began);
    return 0;
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    screen.failed(error.title, error.message);
    if (demo?.made.customer_id) {
      await cleanUp(demo);
      summarize(demo, performance.now() - began);
    }
    return 1;
  } finally {
    await demo?.emulator.close();
  }
}

const screen = createScreen(process.stdout, process.stderr, process.env);
process.exitCode = await main();

import type { ControlPlane } from '@agent-control-plane/sdk';
import type { ChatappEmulator } from './chatapp-emulator.ts';
import type { Screen } from './console.ts';
import type { Credentials } from './credentials.ts';
import type { Scenario } from './scenario.ts';
import type { Step } from './step.ts';

/** What the steps work with. */
export interface Demo {
  /** With the API key, and with the operations token for what is the operator's. */
  acp: ControlPlane;
  credentials: Credentials;
  scenario: Scenario;
  emulator: ChatappEmulator;
  screen: Screen;
  step: Step;
  /** Aborts when the demo is to end early. */
  signal: AbortSignal;
  made: Made;
}

/** What is on the server because of this run, as it comes about. */
export interface Made {
  customer_id?: string;
  recipe_id?: string;
  region_id?: string;
  instance_id?: string;
  endpoint_id?: string;
  /** Whether the instance has ended, or was only asked to. */
  end?: 'requested' | 'reached';
}

import type { ControlPlane } from '@agent-control-plane/sdk';
import type { ChatappEmulator } from './chatapp-emulator.ts';
import type { Screen } from './console.ts';
import type { Credentials } from './credentials.ts';
import type { Scenario } from './scenario.ts';
import type { Step } from './step.ts';

/** The context of all steps. */
export interface Demo {
  /** Holds the API key, and the operations token for the operator's calls. */
  acp: ControlPlane;
  credentials: Credentials;
  scenario: Scenario;
  emulator: ChatappEmulator;
  screen: Screen;
  step: Step;
  /** Aborts when the demo has to end early. */
  signal: AbortSignal;
  made: Made;
}

/** Objects that this run has created on the server. */
export interface Made {
  customer_id?: string;
  recipe_id?: string;
  region_id?: string;
  instance_id?: string;
  endpoint_id?: string;
  /** The state of the instance's termination. */
  end?: 'requested' | 'reached';
}

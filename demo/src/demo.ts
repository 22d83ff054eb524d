import type { ControlPlane } from '@agent-control-plane/sdk';
import type { ChatappEmulator } from './chatapp-emulator.ts';
import type { Screen } from './console.ts';
import type { Credentials } from './credentials.ts';
import type { Scenario } from './scenario.ts';
import type { Step } from './step.ts';

export interface Demo {
  /** Has the API key and the operations token. */
  acp: ControlPlane;
  credentials: Credentials;
  scenario: Scenario;
  emulator: ChatappEmulator;
  screen: Screen;
  step: Step;
  signal: AbortSignal;
  made: Made;
}

export interface Made {
  customer_id?: string;
  recipe_id?: string;
  region_id?: string;
  instance_id?: string;
  endpoint_id?: string;
  end?: 'requested' | 'reached';
}

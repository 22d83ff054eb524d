import { ControlPlaneError } from '@agent-control-plane/sdk';
import type { Screen } from './console.ts';
import { DemoError } from './errors.ts';

/** Shows a fact from the result. A failure names the step; an unexpected one keeps its stack. */
export type Step = <T>(title: string, work: () => Promise<T>, fact: (result: T) => string) => Promise<T>;

export class StepError extends DemoError {
  readonly title: string;

  constructor(title: string, cause: unknown) {
    const isExpected = cause instanceof DemoError || cause instanceof ControlPlaneError;
    super(isExpected ? cause.message : String((cause as Error)?.stack ?? cause), { cause });
    this.title = title;
  }
}

export const createStep =
  (screen: Screen): Step =>
  async (title, work, fact) => {
    const began = performance.now();
    try {
      const result = await work();
      screen.done(title, fact(result), performance.now() - began);
      return result;
    } catch (error) {
      throw new StepError(title, error);
    }
  };

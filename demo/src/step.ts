import type { Screen } from './console.ts';
import { DemoError } from './errors.ts';

/**
 * Does one step and shows it with the fact that it ended in, undefined when the server cannot do it yet. A failure is
 * told with the step's title; what nobody expected keeps its stack.
 */
export type Step = <T>(
  title: string,
  work: () => Promise<T>,
  fact: (result: T) => string | undefined,
) => Promise<T>;

/** A step that failed, in one line. */
export class StepError extends DemoError {
  readonly title: string;

  constructor(title: string, cause: unknown) {
    super(cause instanceof DemoError ? cause.message : String((cause as Error)?.stack ?? cause), { cause });
    this.title = title;
  }
}

export const createStep =
  (screen: Screen): Step =>
  async (title, work, fact) => {
    const began = performance.now();
    try {
      const result = await work();
      const end = fact(result);
      if (end === undefined) screen.skipped(title);
      else screen.done(title, end, performance.now() - began);
      return result;
    } catch (error) {
      throw new StepError(title, error);
    }
  };

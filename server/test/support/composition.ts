import type { ApprovedPrimitives } from '../../src/catalogue/primitives.db.ts';
import type { Steps } from '../../src/platform/load/in-turns.ts';
import * as composition from '../../src/recipes/composition/composition.ts';
import type { AgentConfiguration } from '../../src/recipes/composition/composition-fields.ts';
import * as hash from '../../src/recipes/composition/plan-hash.ts';
import * as primitives from '../../src/recipes/composition/primitive-check.ts';

function finished<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

const uncounted = () => {};

// What is done in turns elsewhere, at once.

export const compose = (layers: composition.Layers) => finished(composition.compose(layers, uncounted));

export const planHash = (...given: Parameters<typeof hash.planHash>) => finished(hash.planHash(...given));

export const checkPrimitives = (config: AgentConfiguration, approved: ApprovedPrimitives) =>
  finished(primitives.checkPrimitives(config, approved, uncounted));

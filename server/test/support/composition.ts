import * as composition from '../../src/domain/composition/composition.ts';
import * as hash from '../../src/domain/composition/plan-hash.ts';
import * as primitives from '../../src/domain/composition/primitive-check.ts';
import type { Steps } from '../../src/domain/in-turns.ts';

function finished<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

// What is done in turns elsewhere, at once.

export const compose = (layers: composition.Layers) => finished(composition.compose(layers, Infinity));

export const planHash = (...given: Parameters<typeof hash.planHash>) => finished(hash.planHash(...given));

export const checkPrimitives = (...given: Parameters<typeof primitives.checkPrimitives>) =>
  finished(primitives.checkPrimitives(...given));

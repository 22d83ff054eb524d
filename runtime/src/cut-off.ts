import { ControlPlaneError } from './control-plane.ts';

/** The control plane was not reached. The message gets no answer, so that it comes again. */
export class CutOff extends Error {
  override readonly name = 'CutOff';
}

export const isCutOff = (error: unknown): boolean =>
  error instanceof CutOff || (error instanceof ControlPlaneError && error.isCutOff);

import type { Database } from '../platform/db/database.ts';
import { conflict, invalid } from '../platform/errors.ts';
import { type Capabilities, REFERENCE } from './manifests.contract.ts';
import { addManifest, putManifest } from './manifests.db.ts';
import type { Known } from './surroundings.db.ts';

/** The runtime in this repository. Tests run it and prove each of these. */
export const REFERENCE_CAPABILITIES: Capabilities = {
  fields: ['system_prompt', 'skills', 'channel_types'],
  skills: ['staff_query', 'worker_shifts', 'timesheet', 'drive_search'],
  channels: ['chatapp', 'playground'],
};

/** The capabilities of a manifest that is offered; the built-in one is offered always. */
export const capabilitiesOf = ({ manifests }: Known, id: string): Capabilities =>
  manifests.get(id) ?? REFERENCE_CAPABILITIES;

/**
 * Keeps the built-in manifest as a row like the others, which says what this version's runtime does. Where a setting
 * replaces the runtime, the operator's words stay.
 */
export async function keepReference(db: Database, isReplaced = false): Promise<void> {
  const builtIn = { name: 'Reference runtime', capabilities: REFERENCE_CAPABILITIES, is_active: true };
  const whole = { ...builtIn, command: null, image: null, sidecar_images: null };
  if (isReplaced) await db.system.run(addManifest(REFERENCE, whole));
  else await db.system.run(putManifest(REFERENCE, whole));
}

/** The operator describes the runtime that a setting replaces ours by; ours is described by itself. */
export function requireReplaceable(manifest_id: string, isReplaced = false): void {
  if (manifest_id !== REFERENCE || isReplaced) return;
  throw conflict('The manifest reference describes the runtime that the service comes with');
}

/** Arguments may be empty, the program in front of them may not. */
export function requireProgram(command: readonly string[] | null = null): void {
  if (command?.[0] === '') throw invalid(['body', 'command', '0'], 'The program must not be empty');
}

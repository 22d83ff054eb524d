import type { Database } from '../platform/db/database.ts';
import { conflict, invalid } from '../platform/errors.ts';
import { type Capabilities, REFERENCE } from './manifests.contract.ts';
import { addManifest, putManifest } from './manifests.db.ts';
import type { Known } from './surroundings.db.ts';

/** The runtime in this repository; tests prove each of these. */
export const REFERENCE_CAPABILITIES: Capabilities = {
  fields: ['system_prompt', 'skills', 'channel_types'],
  skills: ['staff_query', 'worker_shifts', 'timesheet', 'drive_search', 'eligibility'],
  channels: ['chatapp', 'playground'],
};

/** The built-in manifest is always offered. */
export const capabilitiesOf = ({ manifests }: Known, id: string): Capabilities =>
  manifests.get(id) ?? REFERENCE_CAPABILITIES;

interface Replaced {
  /** The operator's description of it stays. */
  isReplaced?: boolean | undefined;
  /** The setting RUNTIME_IMAGE. */
  image?: string | undefined;
}

/** Stores the built-in manifest as a row with this version's capabilities. Its image is always that of the setting. */
export async function storeReferenceManifest(
  db: Database,
  { isReplaced = false, image }: Replaced = {},
): Promise<void> {
  const builtIn = { name: 'Reference runtime', capabilities: REFERENCE_CAPABILITIES, is_active: true };
  const whole = { ...builtIn, command: null, image: image ?? null, sidecar_images: null, internet: false };
  if (isReplaced) await db.system.run(addManifest(REFERENCE, whole));
  else await db.system.run(putManifest(REFERENCE, whole));
}

/** 409 unless a setting (RUNTIME_COMMAND, RUNTIME_IMAGE) replaces the built-in runtime, which describes itself. */
export function requireReplaceable(manifest_id: string, isReplaced = false): void {
  if (manifest_id !== REFERENCE || isReplaced) return;
  throw conflict('The manifest reference describes the runtime that the service comes with');
}

/** 422 for an empty program; arguments may be empty. */
export function requireProgram(command: readonly string[] | null = null): void {
  if (command?.[0] === '') throw invalid(['body', 'command', '0'], 'The program must not be empty');
}

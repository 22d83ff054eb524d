import type { JsonObject } from '../platform/json/json-object.ts';
import { mergePatch } from '../recipes/composition/merge-patch.ts';
import type { ConfigLayers } from './config-layers.db.ts';

/** Each layer is a JSON merge patch on the layer below (contract, section 7). */
export const mergeLayers = ({ defaults, resolved_config, own }: ConfigLayers): JsonObject =>
  mergePatch(mergePatch(defaults, resolved_config), own) as JsonObject;

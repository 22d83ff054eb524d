import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';

/**
 * The folders that a drive is limited to: those that the connection's credentials name (`folder_ids`) and those that
 * the configuration names (`data_access.drive.folder_ids`, `data_access.folder_ids`); where more than one of them
 * does, those that all of them name. @returns undefined when none does
 */
export function folderLimit(credentials: Readonly<JsonObject>, data_access: unknown): string[] | undefined {
  const access = asObject(data_access);
  const limits = [credentials.folder_ids, asObject(access.drive).folder_ids, access.folder_ids]
    .filter((limit) => limit !== undefined && limit !== null)
    .map(idsOf);
  const [first, ...others] = limits;
  return first?.filter((id) => others.every((ids) => ids.includes(id)));
}

/** What is not a list of texts limits to nothing: a limit that is written wrongly opens no folder. */
const idsOf = (limit: unknown): string[] =>
  Array.isArray(limit) ? limit.filter((id) => typeof id === 'string' && id !== '') : [];

const asObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

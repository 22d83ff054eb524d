import Type from 'typebox';
import { isJsonObject, type JsonObject, ownMember } from '../../platform/json/json-object.ts';
import type { ActingKeys } from './acting-key.ts';

const FolderIds = Type.Array(Type.String({ minLength: 1 }));
const expected = 'a list of folders’ ids; until then no folder is opened';

/** `drive` has a second list. */
export const DATA_ACCESS_KEYS: ActingKeys = {
  folder_ids: { by: 'control_plane', shape: FolderIds, expected },
  drive: {
    by: 'control_plane',
    shape: Type.Object({ folder_ids: Type.Optional(Type.Union([FolderIds, Type.Null()])) }),
    expected: `an object with folder_ids, ${expected}`,
    members: ['folder_ids'],
  },
};

/** Files must be in all lists of folders. Fails closed: an invalid value is an empty list. */
export function readFolderLimits({ data_access = null }: JsonObject): string[][] {
  if (data_access === null) return [];
  if (!isJsonObject(data_access)) return [[]];
  const drive = ownMember(data_access, 'drive') ?? null;
  const ofDrive = isJsonObject(drive) ? ownMember(drive, 'folder_ids') : drive;
  return [ownMember(data_access, 'folder_ids'), ofDrive]
    .filter((limit) => limit !== undefined && limit !== null)
    .map((limit) => (isFolderIds(limit) ? limit : []));
}

const isFolderIds = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((id) => typeof id === 'string' && id !== '');

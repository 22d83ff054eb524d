import Type from 'typebox';
import { onlyIntroduced } from '../identities/senders.contract.ts';
import { protectedBy } from '../pins/pin-gate.contract.ts';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  InstanceParams,
  Int,
  Literals,
  Nullable,
  params,
  query,
  Text,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';

const common = {
  tag: 'Drive',
  credential: 'instance',
  scope: null,
  ...protectedBy('drive_search'),
  sender: { customer_id: 'query', introducedOnly: true },
} as const;

/** A filesystem's ids contain a path. */
const DriveId = Text(6000, 1);

/** An empty value counts as absent. */
const ConnectionQuery = {
  connection_name: about(Type.Optional(Text(200)), 'The connection’s name'),
  customer_id: about(Type.Optional(Uuid), 'Whose drive'),
};

const CONNECTION_RULE =
  'Without connection_name: the customer’s oldest drive that has neither expired nor been revoked. ' +
  `On a shared instance connection_name or customer_id has to tell. ${onlyIntroduced('drive_search')}`;

export const DriveFile = NamedObject('DriveFile', {
  id: Type.String(),
  name: Type.String(),
  mime_type: Type.String(),
  size: Nullable(Type.Integer({ description: 'Bytes' })),
  modified_at: Nullable(Timestamp),
  folder_id: Nullable(Type.String()),
  web_url: Nullable(Type.String()),
});

export const DriveFileContent = NamedObject('DriveFileContent', {
  id: Type.String(),
  name: Type.String(),
  mime_type: Type.String({ description: 'Of the content: what a document was exported to' }),
  size: Nullable(Type.Integer({ description: 'Bytes of the content' })),
  encoding: Literals(['utf-8', 'base64']),
  content: Type.String(),
});

export const searchDrive = operation({
  ...common,
  id: 'search_drive',
  method: 'GET',
  path: '/internal/v1/instances/{instance_id}/drive/search',
  summary: 'Search a customer’s drive by file name',
  description: CONNECTION_RULE,
  params: InstanceParams,
  query: query({
    query: about(Type.Optional(Text(500)), 'A part of the file’s name'),
    mime_type: about(Type.Optional(Text(255)), 'Only files of this type'),
    folder_id: about(Type.Optional(Text(6000)), 'Only what lies in this folder itself'),
    ...ConnectionQuery,
    max_results: Int({ minimum: 1, maximum: 100, default: 20 }),
  }),
  responses: { 200: NamedObject('DriveSearchResult', { files: Type.Array(DriveFile) }) },
  failures: [502],
});

export const readDriveFile = operation({
  ...common,
  id: 'read_drive_file',
  method: 'GET',
  path: '/internal/v1/instances/{instance_id}/drive/read/{file_id}',
  summary: 'Read a file of a customer’s drive, of at most 10 MiB',
  description: `Google documents are exported to text. ${CONNECTION_RULE}`,
  load: 'drive_file',
  params: params({ instance_id: Uuid, file_id: DriveId }),
  query: query(ConnectionQuery),
  responses: { 200: DriveFileContent },
  failures: [413, 429, 502],
});

import Type from 'typebox';
import { ofSender } from '../identities/senders.contract.ts';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import { about, InstanceParams, params, Uuid } from '../platform/contract/shapes.ts';

const common = {
  method: 'POST',
  tag: 'Conversations',
  description:
    'The bytes of one file, for an answer to take (`media`). Its type is what the bytes say: JPEG and PNG up to 5 MiB, MP4, 3GPP, AAC, MP3, OGG, AMR, PDF, DOCX, XLSX and PPTX up to 16 MiB (413); nothing else, and no macros (415). It is stored encrypted, and erased with the conversation, or after a day when no answer has taken it. Two uploads at once for a tenant, four in all (429).',
  headers: Type.Object({
    'x-filename': about(
      Type.Optional(Type.String()),
      'The file’s name, in UTF-8 or percent-encoded; 255 characters at most',
    ),
  }),
  rawBody: 'file',
  maxBodyMiB: 16,
  load: 'upload',
  responses: {
    201: NamedObject('UploadedMedia', {
      media_id: about(Uuid, 'For `media` of an answer'),
      mime_type: Type.String(),
      size: about(Type.Integer(), 'In bytes'),
    }),
  },
} as const;

export const uploadMedia = operation({
  ...common,
  id: 'upload_media',
  path: '/v1/conversations/{conversation_id}/media',
  summary: 'Upload a file for an answer',
  credential: 'tenant',
  scope: 'conversations:write',
  params: params({ conversation_id: Uuid }),
});

export const uploadInstanceMedia = operation({
  ...common,
  id: 'upload_instance_media',
  path: '/internal/v1/instances/{instance_id}/conversations/{conversation_id}/media',
  summary: 'Upload a file for an answer of the agent',
  credential: 'instance',
  scope: null,
  params: params({ ...InstanceParams.properties, conversation_id: Uuid }),
  ...ofSender({ conversation_id: 'params' }),
});

import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import { about, InstanceParams, Int, query, Text, Timestamp } from '../platform/contract/shapes.ts';

/** Per instance and day. */
export const MAX_LINES = 1000;

const tag = 'Instances';

const LogLine = NamedObject('LogLine', {
  id: Type.Integer({ description: 'Grows from line to line' }),
  at: about(Timestamp, 'When it arrived'),
  line: Type.String({ description: 'Without secrets; cut off after 4,000 characters' }),
});

export const listInstanceLogs = operation({
  id: 'list_instance_logs',
  method: 'GET',
  path: '/v1/instances/{instance_id}/logs',
  tag,
  summary: 'What an instance’s runtime said: as JSON, or followed live with Accept: text/event-stream',
  description:
    'The last lines, oldest first: those that the runtime sent, and with the engine process its own output. They are kept for a day. The stream begins with them (or after Last-Event-ID) and goes on.',
  credential: 'admin',
  scope: 'instance-logs:read',
  params: InstanceParams,
  query: query({
    tail: about(
      Int({ minimum: 1, maximum: MAX_LINES, default: MAX_LINES }),
      'Only as many of the last lines',
    ),
  }),
  responses: { 200: NamedObject('LogLines', { items: Type.Array(LogLine) }) },
  produces: ['application/json', 'text/event-stream'],
});

export const sendInstanceLogs = operation({
  id: 'send_instance_logs',
  method: 'POST',
  path: '/internal/v1/instances/{instance_id}/logs',
  tag,
  summary: 'Keep lines of a runtime’s log',
  description: 'Secrets of the instance and texts in the form of one are removed before anything is kept.',
  credential: 'instance',
  scope: null,
  sender: 'none',
  params: InstanceParams,
  body: NamedObject('LogLinesCreate', {
    lines: about(
      Type.Array(Text(1024 * 1024), { maxItems: MAX_LINES }),
      'Lines without their ends, oldest first; each is cut off after 4,000 characters',
    ),
  }),
  responses: {
    201: NamedObject('LogLinesKept', { kept: Type.Integer({ description: 'How many lines were kept' }) }),
  },
  changesNothing: true,
});

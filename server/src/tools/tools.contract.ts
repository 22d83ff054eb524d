import { CallerHeaders, CallerQuery } from '../conversations/caller.contract.ts';
import { ofSender } from '../identities/senders.contract.ts';
import { McpAnswer, McpCall, McpFailure } from '../platform/contract/json-rpc.ts';
import { operation } from '../platform/contract/operation.ts';
import { InstanceParams } from '../platform/contract/shapes.ts';

export const callTools = operation({
  id: 'call_tools',
  method: 'POST',
  path: '/internal/v1/instances/{instance_id}/mcp',
  tag: 'Gateway',
  summary: 'The tools of an agent: Model Context Protocol over Streamable HTTP, without sessions',
  description:
    'One JSON-RPC message and an answer in JSON. The tools are those of the configuration’s mcp_servers, named `<server>__<tool>`; a server that is down takes only its own away. A tool under an approval rule answers `{"status":"pin_required","purpose"}` without a valid X-Pin-Session for it, or `{"status":"waiting_for_approval","approval_id"}`; the outcome comes as a message of kind `approval`, and without a conversation get_instance_approval has it. A result has at most 256 KiB. Refusals of the protocol (400, 404, 406) are JSON-RPC errors.',
  credential: 'instance',
  scope: null,
  params: InstanceParams,
  ...ofSender({ customer_id: 'query' }),
  headers: CallerHeaders,
  query: CallerQuery,
  rawBody: 'json',
  rawShape: McpCall,
  responses: { 200: McpAnswer, 202: null },
  failures: [400, 404, 406],
  failureShapes: { 400: McpFailure, 406: McpFailure },
});

import Type from 'typebox';
import { operation } from '../platform/contract/operation.ts';

export const listTunnelPeers = operation({
  id: 'list_tunnel_peers',
  method: 'GET',
  path: '/internal/v1/tunnel/peers',
  tag: 'Instance identity',
  summary: 'Every instance’s end of the tunnel, for the WireGuard interface that they connect to',
  description:
    'As `wg syncconf` reads it: a `[Peer]` of each enrolled instance. Answers If-None-Match with 304. See docs/tunnel.md.',
  credential: 'operations',
  scope: null,
  responses: { 200: Type.String(), 304: null },
  produces: ['text/plain'],
});

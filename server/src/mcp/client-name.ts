import { CLIENT_INFO_META_KEY, type Implementation } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { storableText } from '../platform/json/storable-json.ts';
import type { CallMeta } from './confirmation.ts';

const MAX_LENGTH = 100;

export interface ClientName {
  client_name: string | null;
  client_version: string | null;
}

/**
 * Which program calls, as it says of itself: with each call since the revision 2026-07-28. Before, it said so in a
 * handshake that a service without sessions does not remember, and what is left is User-Agent.
 */
export function clientOf({ headers }: FastifyRequest, { envelope = {} }: CallMeta): ClientName {
  const { [CLIENT_INFO_META_KEY]: info } = envelope as Record<string, Implementation | undefined>;
  if (info) return { client_name: clip(info.name), client_version: clip(info.version) };
  const [, name, version] = /^([^\s/]+)(?:\/(\S+))?/.exec(headers['user-agent'] ?? '') ?? [];
  return { client_name: clip(name), client_version: clip(version) };
}

const clip = (text: string | undefined) =>
  text === undefined ? null : storableText(text.slice(0, MAX_LENGTH));

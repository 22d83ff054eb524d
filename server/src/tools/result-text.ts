import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
import type { ToolResult } from './tool-servers.port.ts';

/**
 * A server's result in which a model that reads nothing but text finds everything: embedded texts, links by their names,
 * pictures and recordings by a word beside them, structured content as JSON.
 */
export function resultAsText(result: JsonObject): ToolResult {
  const { structuredContent = null } = result;
  const blocks = blocksOf(result);
  const content = blocks.flatMap(withWords);
  const isTold = structuredContent === null || content.some((block) => isJsonOf(block, structuredContent));
  return {
    ...result,
    content: isTold ? content : [...content, textBlock(JSON.stringify(structuredContent))],
    ...(result.isError !== undefined && { isError: result.isError === true }),
  };
}

const OF_THE_PROTOCOL = new Set(['isError', '_meta', 'resultType', 'ttlMs', 'cacheScope']);

const textBlock = (text: string): JsonObject => ({ type: 'text', text });

/** Servers before the protocol had `content` answer with other members. */
function blocksOf({ content, structuredContent, ...rest }: JsonObject): unknown[] {
  if (Array.isArray(content)) return content;
  if (content !== undefined && content !== null) return [content];
  const others = Object.fromEntries(Object.entries(rest).filter(([key]) => !OF_THE_PROTOCOL.has(key)));
  const isEmpty = Object.keys(others).length === 0 || structuredContent !== undefined;
  return isEmpty ? [] : [textBlock(JSON.stringify(others))];
}

function withWords(block: unknown): JsonObject[] {
  if (typeof block === 'string') return [textBlock(block)];
  if (!isJsonObject(block)) return [textBlock(JSON.stringify(block))];
  const { type, text, resource, mimeType } = block;
  if (typeof text === 'string') return [type === 'text' ? block : { ...block, type: 'text' }];
  const kind = typeof mimeType === 'string' ? ` (${mimeType})` : '';
  switch (type) {
    case 'image':
      return [block, textBlock(`[A picture${kind}]`)];
    case 'audio':
      return [block, textBlock(`[A recording${kind}]`)];
    case 'resource':
      return isJsonObject(resource) ? embedded(block, resource) : [textBlock(JSON.stringify(block))];
    case 'resource_link':
      return [block, textBlock(linkWords(block))];
    default:
      return [textBlock(JSON.stringify(block))];
  }
}

/** The text of an embedded resource replaces it: a runtime that reads both would have it twice. */
function embedded(block: JsonObject, resource: JsonObject): JsonObject[] {
  const { uri, text, mimeType } = resource;
  if (typeof text === 'string') return [textBlock(typeof uri === 'string' ? `${uri}:\n${text}` : text)];
  const kind = typeof mimeType === 'string' ? ` (${mimeType})` : '';
  return [block, textBlock(`[A file: ${String(uri)}${kind}]`)];
}

function linkWords({ title, name, uri, description, mimeType }: JsonObject): string {
  const words = [title ?? name, uri, description, mimeType].filter((one) => typeof one === 'string');
  return `[A link: ${words.join(', ')}]`;
}

function isJsonOf({ text }: JsonObject, value: unknown): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(String(text)), value);
  } catch {
    return false;
  }
}

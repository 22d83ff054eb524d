import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
import { isDeeperThan, storableText } from '../platform/json/storable-json.ts';
import { isAllowed, type McpServer } from '../recipes/fields/mcp-servers.ts';
import { aliasOf, toolName } from '../recipes/fields/tool-names.ts';
import { completeSchema, UnfitSchema } from './complete-schema.ts';
import type { ToolProblem } from './tool-servers.db.ts';
import type { ListedTools } from './tool-servers.port.ts';

/** As runtimes get it: under the name that models take. */
export interface OfferedTool {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema: JsonObject;
  annotations?: JsonObject | undefined;
}

/** The limit of tool names in approval rules: no rule could match a longer name. */
const MAX_NAME = 300;
/** In JSON. */
const MAX_DEPTH = 100;
const MAX_TOOL_BYTES = 256 * 1024;
const MAX_PROBLEMS = 50;

export const isStorableName = (name: string): boolean =>
  name.length <= MAX_NAME && storableText(name) === name;

/** One tool that cannot be offered takes no other away. */
export function readTools(
  server: McpServer,
  { tools: listed, isWhole }: ListedTools,
): { tools: OfferedTool[]; problems: ToolProblem[] } {
  const tools = new Map<string, OfferedTool>();
  const problems: ToolProblem[] = [];
  const names = new Set<unknown>();
  for (const element of listed) {
    const own = isJsonObject(element) ? element.name : undefined;
    if (typeof own === 'string' && !isAllowed(server, own)) continue;
    names.add(own);
    const tool = readTool(server.name, element);
    if (typeof tool === 'string') problems.push({ tool: nameOf(own), reason: tool });
    else if (tools.has(tool.name))
      problems.push({ tool: nameOf(own), reason: `Another tool of the server is called ${tool.name}` });
    else tools.set(tool.name, tool);
  }
  if (!isWhole) problems.push({ tool: null, reason: 'The server lists more tools than are read' });
  for (const tool of server.allowed_tools ?? [])
    if (!names.has(tool)) problems.push({ tool: nameOf(tool), reason: 'The server does not list it' });
  return { tools: [...tools.values()], problems: bounded(problems) };
}

const nameOf = (own: unknown) =>
  typeof own === 'string' && own !== '' ? storableText(own.slice(0, MAX_NAME)) : null;

function bounded(problems: readonly ToolProblem[]): ToolProblem[] {
  const more = problems.length - MAX_PROBLEMS;
  const shown = problems.slice(0, MAX_PROBLEMS);
  return more > 0 ? [...shown, { tool: null, reason: `${more} more cannot be offered` }] : shown;
}

/** @returns the reason why it cannot be offered instead */
function readTool(server: string, element: unknown): OfferedTool | string {
  if (!isJsonObject(element)) return 'It is no object';
  if (isDeeperThan(MAX_DEPTH, element)) return `It is nested deeper than ${MAX_DEPTH} levels`;
  const { name: own, title, description, inputSchema, annotations, execution } = element;
  if (typeof own !== 'string' || own === '') return 'It has no name';
  const name = toolName(server, own);
  if (!isStorableName(name))
    return name.length > MAX_NAME
      ? `Its name has more than ${MAX_NAME} characters together with the server’s`
      : 'Its name has characters that cannot be stored';
  if (isJsonObject(execution) && execution.taskSupport === 'required')
    return 'It runs as a task alone, and the gateway calls no tools as tasks';
  try {
    const tool = {
      name: aliasOf(name),
      title: textOf(title),
      description: textOf(description),
      inputSchema: completeSchema(inputSchema),
      annotations: annotationsOf(annotations),
    };
    return sizeOf(tool) > MAX_TOOL_BYTES ? 'It is larger than 256 KiB' : tool;
  } catch (error) {
    if (error instanceof UnfitSchema) return error.message;
    throw error;
  }
}

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

/** Others would make clients refuse the list. */
function annotationsOf(value: unknown): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  const hints = HINTS.filter((hint) => typeof value[hint] === 'boolean').map((hint) => [hint, value[hint]]);
  const title = typeof value.title === 'string' ? [['title', value.title]] : [];
  return Object.fromEntries([...title, ...hints]);
}

/** Calling it twice does no harm, as its server says. */
export function isRepeatable(element: JsonObject): boolean {
  const { readOnlyHint, idempotentHint } = annotationsOf(element.annotations) ?? {};
  return readOnlyHint === true || idempotentHint === true;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

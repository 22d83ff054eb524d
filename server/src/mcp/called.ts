import type { ToolCallDenial } from '../audit/tool-calls.contract.ts';
import type { Actor } from '../platform/actor.ts';
import { callOperation, searchOperations } from './operations.contract.ts';
import { personCalls } from './search.ts';
import { type Arguments, checkArguments, closestName, isOpenTo, type Tool, type Tools } from './tools.ts';

interface Refused {
  status: number;
  reason: ToolCallDenial;
  detail: string;
}

/** A resolved call, as recorded and executed. */
export interface Called {
  name: string;
  args: Arguments;
  /** `unknown`: the message of a protocol error. */
  target: { tool: Tool } | { refused: Refused } | { unknown: string };
}

interface Caller {
  actor: Actor;
  readOnly: boolean;
}

const META: readonly string[] = [callOperation.id, searchOperations.id];
const MAX_SHOWN = 64;

/** Resolves call_operation to the operation's own tool, so that its checks, confirmation and record apply. */
export function resolveCall(tools: Tools, caller: Caller, name: string, args: Arguments): Called {
  const tool = tools.get(name);
  if (!tool?.listed) return { name: loggedName(name), args, target: unknownTool(tools, caller, name) };
  if (name !== callOperation.id || !isValid(tool, args)) return { name, args, target: { tool } };
  const { operation, arguments: inner = {} } = args as { operation: string; arguments?: Arguments };
  const innerTool = META.includes(operation) ? undefined : tools.get(operation);
  if (!innerTool) return { name, args, target: unknownOperation(tools, caller, operation) };
  const target = innerTool.forModels ? { tool: innerTool } : forPeople(innerTool);
  return { name: innerTool.name, args: inner, target };
}

/** False when call_operation itself will be refused. */
function isValid(tool: Tool, args: Arguments): boolean {
  try {
    checkArguments(tool, args);
    return true;
  } catch {
    return false;
  }
}

/** Logs only names in the form of a tool's name. */
const loggedName = (name: string) => (/^[a-z_]{1,64}$/.test(name) ? name : 'unknown');

const shown = (name: string) => name.slice(0, MAX_SHOWN).toWellFormed();

const isListed = (tool: Tool) => tool.listed;
const isCallable = (tool: Tool) => tool.forModels && !META.includes(tool.name);

function unknownTool(tools: Tools, caller: Caller, name: string): { unknown: string } {
  const known = tools.get(name);
  if (known) {
    const way = known.forModels ? `${callOperation.id} calls it` : personCalls(known.route.operation);
    return { unknown: `Unknown tool ${name}. ${way}` };
  }
  return {
    unknown: `Unknown tool ${shown(name)}; the closest one is ${closest(tools, caller, name, isListed)}`,
  };
}

function unknownOperation(tools: Tools, caller: Caller, name: string): { refused: Refused } {
  const near = closest(tools, caller, name, isCallable);
  const detail = `Unknown operation ${shown(name)}; the closest one is ${near}. ${searchOperations.id} finds others`;
  return { refused: { status: 404, reason: 'unknown_tool', detail } };
}

const forPeople = ({ route }: Tool): { refused: Refused } => ({
  refused: { status: 403, reason: 'role', detail: personCalls(route.operation) },
});

const closest = (tools: Tools, { actor, readOnly }: Caller, name: string, fits: (tool: Tool) => boolean) =>
  closestName(
    name,
    [...tools.values()]
      .filter((tool) => fits(tool) && isOpenTo(tool, actor, readOnly))
      .map((tool) => tool.name),
  ) ?? searchOperations.id;

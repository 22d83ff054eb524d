import type { ToolCallDenial } from '../audit/tool-calls.contract.ts';
import type { Actor } from '../platform/actor.ts';
import { callOperation, searchOperations } from './operations.contract.ts';
import { personCalls } from './search.ts';
import { type Arguments, checkArguments, closestName, isOpenTo, type Tool, type Tools } from './tools.ts';

/** A call without a tool to carry it out. */
export interface Refused {
  status: number;
  reason: ToolCallDenial;
  detail: string;
}

/** A call as it is recorded and carried out. */
export interface Called {
  name: string;
  args: Arguments;
  /** The tool; a refusal; or for a name that is no tool's, an error of the protocol. */
  target: { tool: Tool } | { refused: Refused } | { unknown: string };
}

interface Caller {
  actor: Actor;
  readOnly: boolean;
}

const META: readonly string[] = [callOperation.id, searchOperations.id];
const MAX_SHOWN = 64;

/**
 * Finds the tool that a call means. It looks through call_operation at the operation, so that checks, questions and
 * records are those of the operation's own tool.
 */
export function resolveCall(tools: Tools, caller: Caller, name: string, args: Arguments): Called {
  const tool = tools.get(name);
  if (!tool?.listed) return { name: loggedName(name), args, target: unknownTool(tools, caller, name) };
  if (name !== callOperation.id || !isValid(tool, args)) return { name, args, target: { tool } };
  const { operation, arguments: inner = {} } = args as { operation: string; arguments?: Arguments };
  const meant = META.includes(operation) ? undefined : tools.get(operation);
  if (!meant) return { name, args, target: unknownOperation(tools, caller, operation) };
  const target = meant.forModels ? { tool: meant } : forPeople(meant);
  return { name: meant.name, args: inner, target };
}

/** False where call_operation itself will be refused for its arguments. */
function isValid(tool: Tool, args: Arguments): boolean {
  try {
    checkArguments(tool, args);
    return true;
  } catch {
    return false;
  }
}

/** An unknown name as it is logged: `unknown` unless it has the form of a tool's name. */
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

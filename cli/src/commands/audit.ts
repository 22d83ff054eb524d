import type { ChainVerification, Change, ToolCall } from '@agent-control-plane/sdk';
import { Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { negativeResult } from '../errors.ts';
import { showList } from '../lists.ts';
import { allOption, pageOption, perPageOption } from '../options.ts';
import type { Noun, Program } from '../program.ts';
import type { Column } from '../table.ts';
import { moment } from '../text.ts';

const callerOf = ({ kind, id, name }: Change['actor']) =>
  [kind.replace('api_key', 'key'), name ?? id].filter(Boolean).join(' ');

const COLUMNS: readonly Column<ToolCall>[] = [
  ['SEQ', ({ seq }) => seq],
  ['AT', ({ at }) => moment(at)],
  ['TOOL', ({ tool }) => tool, 'flexible'],
  ['DECISION', ({ decision, reason }) => (reason === null ? decision : `${decision}: ${reason}`)],
  ['STATUS', ({ status }) => status],
  ['BY', ({ actor }) => callerOf(actor), 'flexible'],
  [
    'CLIENT',
    ({ client_name, client_version }) => [client_name, client_version].filter(Boolean).join(' '),
    'flexible',
  ],
];

const CHANGE_COLUMNS: readonly Column<Change>[] = [
  ['SEQ', ({ seq }) => seq],
  ['AT', ({ at }) => moment(at)],
  ['OPERATION', ({ operation }) => operation],
  ['RESOURCE', ({ resource_id }) => resource_id],
  ['STATUS', ({ status }) => status],
  ['BY', ({ actor }) => callerOf(actor), 'flexible'],
  ['REQUEST', ({ request_id }) => request_id, 'flexible'],
];

const ACTOR_KINDS = ['api_key', 'user', 'instance', 'operations', 'anonymous'] as const;

export function addAudit(program: Program, cli: Cli): void {
  const audit = program.command('audit').description('tool calls over MCP, and changes over HTTP');
  const { output } = cli;

  audit
    .command('list')
    .description('list calls, newest first')
    .option('--tool <name>')
    .addOption(new Option('--decision <decision>').choices(['allowed', 'denied', 'asked'] as const))
    .option('--key <key-id>')
    .option('--from <time>', 'earliest time, e.g. 2026-01-31T00:00:00Z')
    .option('--to <time>', 'latest time')
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async ({ tool, decision, key, from, to, ...flags }) => {
      const query = {
        ...(tool && { tool }),
        ...(decision && { decision }),
        ...(key && { key_id: key }),
        ...(from && { from }),
        ...(to && { to }),
      };
      await showList(cli, await cli.tenant(), 'list_tool_calls', { query }, COLUMNS, flags);
    });

  addChanges(audit, cli);

  audit
    .command('verify')
    .description('check that no call and no change was altered, removed or moved; exits with 1 otherwise')
    .action(async () => {
      const acp = await cli.tenant();
      const found = {
        tool_calls: await acp.audit.verifyToolCalls(),
        changes: await acp.audit.verifyChanges(),
      };
      output.answer(found, () => {
        for (const [name, verification] of Object.entries(found)) output.line(sentenceOf(name, verification));
      });
      const broken = Object.entries(found).filter(([, { valid }]) => !valid);
      if (broken.length > 0)
        throw negativeResult(broken.map(([name]) => `the chain of ${withSpaces(name)} is broken`).join('; '));
    });
}

function addChanges(audit: Noun, cli: Cli): void {
  audit
    .command('changes')
    .description('list changes, newest first')
    .option('--operation <operation-id>')
    .option('--resource <id>')
    .addOption(new Option('--actor-kind <kind>').choices(ACTOR_KINDS))
    .option('--actor <id>', 'of a key, a user or an instance')
    .option('--from <time>', 'earliest time, e.g. 2026-01-31T00:00:00Z')
    .option('--to <time>', 'latest time')
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async ({ operation, resource, actorKind, actor, from, to, ...flags }) => {
      const query = {
        ...(operation && { operation }),
        ...(resource && { resource_id: resource }),
        ...(actorKind && { actor_kind: actorKind }),
        ...(actor && { actor_id: actor }),
        ...(from && { from }),
        ...(to && { to }),
      };
      await showList(cli, await cli.tenant(), 'list_changes', { query }, CHANGE_COLUMNS, flags);
    });
}

const withSpaces = (name: string) => name.replace('_', ' ');

function sentenceOf(name: string, found: ChainVerification): string {
  const { valid, checked, first_invalid, fault, last_hash } = found;
  return valid
    ? `${withSpaces(name)}: the chain is intact: ${checked} rows, last hash ${last_hash ?? 'none'}`
    : `${withSpaces(name)}: the chain is broken at ${first_invalid}: ${fault} (${checked} rows before it are intact)`;
}

import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Cli } from './cli.ts';
import { addApprovals } from './commands/approvals.ts';
import { addAudit } from './commands/audit.ts';
import { addBindings } from './commands/bindings.ts';
import { addBootstrap } from './commands/bootstrap.ts';
import { addBudgets } from './commands/budgets.ts';
import { addChannels } from './commands/channels.ts';
import { addChat } from './commands/chat.ts';
import { addCheck } from './commands/check.ts';
import { addClusters } from './commands/clusters.ts';
import { addCompletion } from './commands/completion.ts';
import { addConnections } from './commands/connections.ts';
import { addConversations } from './commands/conversations.ts';
import { addCustomers } from './commands/customers.ts';
import { addDashboard } from './commands/dashboard.ts';
import { addDeploy } from './commands/deploy.ts';
import { addEvents } from './commands/events.ts';
import { addIdentities } from './commands/identities.ts';
import { addInstances } from './commands/instances.ts';
import { addKeys } from './commands/keys.ts';
import { addLlmProviders } from './commands/llm-providers.ts';
import { addLogin } from './commands/login.ts';
import { addLogs } from './commands/logs.ts';
import { addManifests } from './commands/manifests.ts';
import { addMessages } from './commands/messages.ts';
import { addMigrate } from './commands/migrate.ts';
import { addModels } from './commands/models.ts';
import { addOnboardingFlows, addRulesTemplates } from './commands/named-parts.ts';
import { addPins } from './commands/pins.ts';
import { addProfiles } from './commands/profiles.ts';
import { addRecipes } from './commands/recipes.ts';
import { addRegions } from './commands/regions.ts';
import { addSecrets } from './commands/secrets.ts';
import { addStaff } from './commands/staff.ts';
import { addTenants } from './commands/tenants.ts';
import { addTiers } from './commands/tiers.ts';
import { addTimesheets } from './commands/timesheets.ts';
import { addUpgrade } from './commands/upgrade.ts';
import { addUsage } from './commands/usage.ts';
import { addUsers } from './commands/users.ts';
import { addAssignments, addShifts } from './commands/work.ts';
import type { Program } from './program.ts';

type Add = (program: Program, cli: Cli) => void;

/** In the order of the help. */
const GROUPS: readonly (readonly [title: string, adds: readonly Add[]])[] = [
  ['Start here', [addLogin, addCustomers, addRecipes, addConnections, addDeploy, addChat, addDashboard]],
  [
    'Agents',
    [addCheck, addInstances, addUpgrade, addLogs, addRulesTemplates, addOnboardingFlows, addManifests],
  ],
  ['Conversations', [addConversations, addApprovals, addChannels, addMessages]],
  ['People', [addStaff, addIdentities, addBindings, addPins, addShifts, addAssignments, addTimesheets]],
  ['Models and cost', [addModels, addLlmProviders, addUsage, addBudgets]],
  ['Account', [addUsers, addKeys, addEvents, addAudit, addProfiles, addCompletion]],
  ['Operator', [addBootstrap, addTenants, addTiers, addRegions, addClusters, addSecrets, addMigrate]],
];

/** One verb for one thing, which is also the client's and the API's; the other words do the same. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  show: ['get'],
  create: ['add'],
  delete: ['remove'],
  terminate: ['delete', 'remove'],
};

/** Help and completion read the same tree. */
export function addCommands(program: Program, cli: Cli): void {
  for (const [title, adds] of GROUPS) {
    program.commandsGroup(`${title}:`);
    for (const add of adds) add(program, cli);
  }
  addSynonyms(program);
}

function addSynonyms(parent: CommandUnknownOpts): void {
  for (const command of parent.commands) {
    for (const word of SYNONYMS[command.name()] ?? []) command.alias(word);
    addSynonyms(command);
  }
}

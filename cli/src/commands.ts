import type { Cli } from './cli.ts';
import { addAudit } from './commands/audit.ts';
import { addBootstrap } from './commands/bootstrap.ts';
import { addChat } from './commands/chat.ts';
import { addCheck } from './commands/check.ts';
import { addCompletion } from './commands/completion.ts';
import { addConnections } from './commands/connections.ts';
import { addCustomers } from './commands/customers.ts';
import { addDeploy } from './commands/deploy.ts';
import { addInstances } from './commands/instances.ts';
import { addKeys } from './commands/keys.ts';
import { addLogin } from './commands/login.ts';
import { addModels } from './commands/models.ts';
import { addProfiles } from './commands/profiles.ts';
import { addRecipes } from './commands/recipes.ts';
import { addRegions } from './commands/regions.ts';
import { addSecrets } from './commands/secrets.ts';
import { addTenants } from './commands/tenants.ts';
import { addTiers } from './commands/tiers.ts';
import { addUsers } from './commands/users.ts';
import type { Program } from './program.ts';

/** Declares every command. Help and completion read the same tree. */
export function addCommands(program: Program, cli: Cli): void {
  addLogin(program, cli);
  addProfiles(program, cli);
  addBootstrap(program, cli);
  addRecipes(program, cli);
  addCheck(program, cli);
  addDeploy(program, cli);
  addInstances(program, cli);
  addCustomers(program, cli);
  addConnections(program, cli);
  addTiers(program, cli);
  addRegions(program, cli);
  addUsers(program, cli);
  addKeys(program, cli);
  addAudit(program, cli);
  addModels(program, cli);
  addSecrets(program, cli);
  addTenants(program, cli);
  addChat(program, cli);
  addCompletion(program, cli);
}

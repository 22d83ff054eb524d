import type { ControlPlane, RewrapResult } from '@agent-control-plane/sdk';
import type { Cli } from '../cli.ts';
import { saysNo } from '../errors.ts';
import type { Program } from '../program.ts';

export function addSecrets(program: Program, cli: Cli): void {
  const secrets = program
    .command('secrets')
    .description('what everything secret is encrypted under (needs the operations token)');

  secrets
    .command('rotate-master-key')
    .description('replace the master key of an installation that keeps it in DATA_DIR')
    .action(async () => {
      const acp = await cli.operator();
      tell(cli, await untilDone(cli, acp, await acp.masterKey.rotate()));
    });

  secrets
    .command('rewrap')
    .description(
      'bring everything under the MASTER_KEY of the environment, after it was changed there for every copy',
    )
    .action(async () => {
      const acp = await cli.operator();
      tell(cli, await untilDone(cli, acp, await acp.masterKey.rewrap()));
    });
}

/** A call ends after 20 seconds; the next one goes on. @returns what all of them did */
async function untilDone({ output }: Cli, acp: ControlPlane, first: RewrapResult): Promise<RewrapResult> {
  let sum = first;
  while (sum.remaining > 0) {
    output.progress(`${sum.remaining} keys remain`);
    const next = await acp.masterKey.rewrap();
    if (next.remaining >= sum.remaining)
      throw saysNo(`${next.remaining} keys remain, and none could be wrapped`);
    sum = {
      tenant_keys: sum.tenant_keys + next.tenant_keys,
      ca_keys: sum.ca_keys + next.ca_keys,
      service_keys: sum.service_keys + next.service_keys,
      remaining: next.remaining,
    };
  }
  return sum;
}

function tell({ output }: Cli, done: RewrapResult): void {
  output.answer(done, () => {
    const { tenant_keys, ca_keys, service_keys } = done;
    output.line(
      `the master key wraps everything in the database: ${tenant_keys} tenants’, ${ca_keys} authority’s and ${service_keys} service’s keys were wrapped anew`,
    );
  });
}

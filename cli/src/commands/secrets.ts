import type { ControlPlane, RewrapResult } from '@agent-control-plane/sdk';
import type { Cli } from '../cli.ts';
import { negativeResult } from '../errors.ts';
import type { Program } from '../program.ts';

export function addSecrets(program: Program, cli: Cli): void {
  const secrets = program
    .command('secrets')
    .description('the master key, which encrypts all secrets (needs the operations token)');

  secrets
    .command('rotate-master-key')
    .description('replace a master key that is stored in DATA_DIR')
    .action(async () => {
      const acp = await cli.operator();
      printCounts(cli, await untilDone(cli, acp, await acp.masterKey.rotate()));
    });

  secrets
    .command('rewrap')
    .description(
      'wrap all keys with the environment’s MASTER_KEY, after it was changed for every copy of the service',
    )
    .action(async () => {
      const acp = await cli.operator();
      printCounts(cli, await untilDone(cli, acp, await acp.masterKey.rewrap()));
    });
}

/** A call works for at most 20 seconds, and the next one continues. @returns the sum of all calls */
async function untilDone({ output }: Cli, acp: ControlPlane, first: RewrapResult): Promise<RewrapResult> {
  let sum = first;
  while (sum.remaining > 0) {
    output.progress(`${sum.remaining} keys remain`);
    const next = await acp.masterKey.rewrap();
    if (next.remaining >= sum.remaining)
      throw negativeResult(`${next.remaining} keys remain and could not be wrapped`);
    sum = {
      tenant_keys: sum.tenant_keys + next.tenant_keys,
      ca_keys: sum.ca_keys + next.ca_keys,
      chain_heads: sum.chain_heads + next.chain_heads,
      service_keys: sum.service_keys + next.service_keys,
      remaining: next.remaining,
    };
  }
  return sum;
}

function printCounts({ output }: Cli, done: RewrapResult): void {
  output.answer(done, () => {
    const { tenant_keys, ca_keys, chain_heads, service_keys } = done;
    output.line(
      `the master key wraps all keys in the database; wrapped again: ${tenant_keys} of tenants, ${ca_keys} of the CA, ${chain_heads} heads of records, ${service_keys} of the service`,
    );
  });
}

import type { ControlPlane, LlmProvider, LlmProviderCheck, LlmProviderPut } from '@agent-control-plane/sdk';
import { Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { negativeResult } from '../errors.ts';
import { type PageFlags, showList } from '../lists.ts';
import { allOption, idArgument, pageOption, perPageOption } from '../options.ts';
import type { Program } from '../program.ts';
import { readSecrets } from '../secret-input.ts';
import type { Column } from '../table.ts';
import { moment } from '../text.ts';

const COLUMNS: readonly Column<LlmProvider>[] = [
  ['SLUG', ({ slug }) => slug],
  ['ADDRESS', ({ base_url }) => base_url, 'flexible'],
  ['CHANGED', ({ updated_at }) => moment(updated_at)],
];

const SECRETS = { api_key: 'API key' } as const;

interface Providers {
  list(flags: PageFlags): Promise<void>;
  put(slug: string, fields: LlmProviderPut): Promise<LlmProvider>;
  check(slug: string): Promise<LlmProviderCheck>;
  remove(slug: string): Promise<unknown>;
}

const ofTenant = (cli: Cli, acp: ControlPlane): Providers => ({
  list: (flags) => showList(cli, acp, 'list_tenant_llm_providers', {}, COLUMNS, flags),
  put: (slug, fields) => acp.models.putTenantLlmProvider(slug, fields),
  check: (slug) => acp.models.checkTenantLlmProvider(slug),
  remove: (slug) => acp.models.deleteTenantLlmProvider(slug),
});

const ofOperator = (cli: Cli, acp: ControlPlane): Providers => ({
  list: (flags) => showList(cli, acp, 'list_llm_providers', {}, COLUMNS, flags),
  put: (slug, fields) => acp.models.putLlmProvider(slug, fields),
  check: (slug) => acp.models.checkLlmProvider(slug),
  remove: (slug) => acp.models.deleteLlmProvider(slug),
});

const operatorOption = () => new Option('--operator', 'the operator’s (needs the operations token)');
const slugArgument = () => idArgument('<slug>', 'its short name, e.g. the one in <slug>/<model>');

export function addLlmProviders(program: Program, cli: Cli): void {
  const providers = program
    .command('llm-providers')
    .description('where calls of language models go: your own providers, or with --operator the operator’s');
  const { output } = cli;

  const open = async ({ operator }: { operator?: true | undefined }): Promise<Providers> =>
    operator ? ofOperator(cli, await cli.operator()) : ofTenant(cli, await cli.tenant());

  providers
    .command('list')
    .description('list providers, without their keys')
    .addOption(operatorOption())
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async (flags) => (await open(flags)).list(flags));

  providers
    .command('set')
    .description('make or replace a provider; its key is encrypted and never shown')
    .addArgument(slugArgument())
    .requiredOption('--base-url <url>', 'an OpenAI-compatible endpoint, e.g. https://api.openai.com/v1')
    .option('-f, --file <path>', 'api_key, YAML or JSON; - is standard input; asked for on a terminal')
    .addOption(operatorOption())
    .action(async (slug, { baseUrl: base_url, file, ...flags }) => {
      const secrets = await readSecrets(cli, file, SECRETS);
      const set = await (await open(flags)).put(slug, { base_url, ...secrets });
      output.answer(set, () => output.line(`provider ${set.slug} is at ${set.base_url}`));
    });

  providers
    .command('check')
    .description('ask a provider for its models, with its key')
    .addArgument(slugArgument())
    .addOption(operatorOption())
    .action(async (slug, flags) => {
      const found = await (await open(flags)).check(slug);
      output.answer(found, () => {
        if (found.ok) output.line(`provider ${slug} answered in ${found.latency_ms} ms`);
      });
      if (!found.ok) throw negativeResult(`provider ${slug}: ${found.error}`);
    });

  providers
    .command('delete')
    .description('remove a provider; its models go to the operator’s default from then on')
    .addArgument(slugArgument())
    .addOption(operatorOption())
    .action(async (slug, flags) => {
      await (await open(flags)).remove(slug);
      output.note(`removed provider ${slug}`);
    });
}

import type {
  ControlPlane,
  OnboardingFlow,
  OnboardingFlowCreate,
  RulesTemplate,
  RulesTemplateCreate,
} from '@agent-control-plane/sdk';
import type { Cli } from '../cli.ts';
import { readObject } from '../documents.ts';
import { findNamed, findNamedOrNone } from '../finding.ts';
import { type PageFlags, showList } from '../lists.ts';
import { allOption, fileOption, idArgument, pageOption, perPageOption } from '../options.ts';
import type { Program } from '../program.ts';
import type { Column } from '../table.ts';
import { moment } from '../text.ts';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
}

interface Store<Part extends Row, Fields> {
  listAll(): AsyncGenerator<Part, void>;
  get(id: string): Promise<Part>;
  create(fields: Fields): Promise<Part>;
  update(id: string, fields: Fields): Promise<Part>;
  delete(id: string): Promise<unknown>;
}

/** A kind of object that recipes refer to by id. */
interface Kind<Part extends Row, Fields> {
  readonly noun: string;
  readonly word: string;
  readonly description: string;
  readonly fields: string;
  readonly storeIn: (acp: ControlPlane) => Store<Part, Fields>;
  readonly list: (cli: Cli, acp: ControlPlane, flags: PageFlags) => Promise<void>;
}

export function addRulesTemplates(program: Program, cli: Cli): void {
  addKind<RulesTemplate, RulesTemplateCreate>(program, cli, {
    noun: 'rules-templates',
    word: 'template',
    description: 'rules that a deploy copies to a customer who has none (rules_template_id of a recipe)',
    fields: 'name and rules',
    storeIn: (acp) => acp.rulesTemplates,
    list: (cli, acp, flags) => {
      const rules: Column<RulesTemplate> = [
        'RULES',
        ({ rules }) => Object.keys(rules).join(', '),
        'flexible',
      ];
      return showList(cli, acp, 'list_rules_templates', {}, columnsWith(rules), flags);
    },
  });
}

export function addOnboardingFlows(program: Program, cli: Cli): void {
  addKind<OnboardingFlow, OnboardingFlowCreate>(program, cli, {
    noun: 'onboarding-flows',
    word: 'flow',
    description: 'questions to a new sender, before the agent answers (onboarding_flow_id of a recipe)',
    fields: 'name and steps',
    storeIn: (acp) => acp.onboardingFlows,
    list: (cli, acp, flags) => {
      const steps: Column<OnboardingFlow> = ['STEPS', ({ steps }) => steps.length];
      return showList(cli, acp, 'list_onboarding_flows', {}, columnsWith(steps), flags);
    },
  });
}

const columnsWith = <Part extends Row>(own: Column<Part>): readonly Column<Part>[] => [
  ['ID', ({ id }) => id],
  ['NAME', ({ name }) => name, 'flexible'],
  own,
  ['CREATED', ({ created_at }) => moment(created_at)],
];

function addKind<Part extends Row, Fields>(program: Program, cli: Cli, kind: Kind<Part, Fields>): void {
  const { word, storeIn } = kind;
  const parts = program.command(kind.noun).description(kind.description);
  const { output } = cli;
  const partArgument = () => idArgument(`<${word}>`, 'id or name');

  parts
    .command('list')
    .description('list them, newest first')
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async (flags) => kind.list(cli, await cli.tenant(), flags));

  parts
    .command('show')
    .description(`show a ${word}`)
    .addArgument(partArgument())
    .action(async (wanted) => {
      const store = storeIn(await cli.tenant());
      const part = await store.get((await findNamed(word, wanted, store.listAll())).id);
      output.answer(part, () => output.details(part));
    });

  parts
    .command('apply')
    .description(`create a ${word}, or change the one that has its name`)
    .addOption(fileOption(kind.fields))
    .action(async ({ file }) => {
      const fields = await readObject(cli.terminal, file);
      const store = storeIn(await cli.tenant());
      const name = typeof fields.name === 'string' ? fields.name : '';
      const known = await findNamedOrNone(word, name, store.listAll());
      const body = fields as Fields;
      const part = await (known ? store.update(known.id, body) : store.create(body));
      output.answer(part, () => output.line(`${known ? 'updated' : 'created'}: ${part.name} (${part.id})`));
    });

  parts
    .command('delete')
    .description(`remove a ${word}`)
    .addArgument(partArgument())
    .action(async (wanted) => {
      const store = storeIn(await cli.tenant());
      const { id } = await findNamed(word, wanted, store.listAll());
      await store.delete(id);
      output.note(`removed ${word} ${id}`);
    });
}

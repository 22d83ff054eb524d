import type { Cluster, ClusterPut } from '@agent-control-plane/sdk';
import type { Cli } from '../cli.ts';
import { readObject } from '../documents.ts';
import { showList } from '../lists.ts';
import { allOption, fileOption, idArgument, pageOption, perPageOption } from '../options.ts';
import type { Program } from '../program.ts';
import type { Column } from '../table.ts';

const reach = ({ reachable }: Cluster) => {
  if (reachable === null) return '';
  return reachable ? 'yes' : 'no';
};

const COLUMNS: readonly Column<Cluster>[] = [
  ['ID', ({ id }) => id],
  ['REGION', ({ region_id }) => region_id ?? 'every other'],
  ['ENGINE', ({ engine }) => engine],
  [
    'INSTANCES',
    ({ instances, max_instances }) =>
      max_instances === null ? instances : `${instances} of ${max_instances}`,
  ],
  ['STATE', ({ is_active }) => (is_active ? 'open' : 'closed')],
  ['REACHABLE', reach],
];

const clusterArgument = () => idArgument('<cluster-id>', 'the id of the cluster');

export function addClusters(program: Program, cli: Cli): void {
  const clusters = program
    .command('clusters')
    .description('where runtimes run beside the service (needs the operations token)');
  const { output } = cli;

  clusters
    .command('list')
    .description('list clusters')
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async (flags) => showList(cli, await cli.operator(), 'list_clusters', {}, COLUMNS, flags));

  clusters
    .command('set')
    .alias('put')
    .description('create or change a cluster from a file')
    .addArgument(clusterArgument())
    .addOption(fileOption('region_id and engine; endpoint, credentials, max_instances, options'))
    .action(async (id, { file }) => {
      const fields = (await readObject(cli.terminal, file)) as unknown as ClusterPut;
      const cluster = await (await cli.operator()).operator.putCluster(id, fields);
      output.answer(cluster, () =>
        output.line(`${cluster.id} runs instances of ${cluster.region_id} with ${cluster.engine}`),
      );
    });

  clusters
    .command('drain')
    .description('move the instances of a cluster to others, ten at once')
    .addArgument(clusterArgument())
    .option('--to <cluster-id>', 'the cluster that they go to; otherwise active ones of their region')
    .option('--force', 'also if it is out of reach: its runtimes are left behind')
    .action(async (id, { to, force = false }) => {
      const answer = await (await cli.operator()).operator.drainCluster(id, { force, ...(to && { to }) });
      output.answer(answer, () => output.line(`${answer.count} instances of ${id} move: see the tasks`));
    });

  clusters
    .command('delete')
    .description('forget a cluster without instances')
    .addArgument(clusterArgument())
    .action(async (id) => {
      await (await cli.operator()).operator.deleteCluster(id);
      output.note(`deleted cluster ${id}`);
    });
}

import type { Cluster } from '@agent-control-plane/sdk';
import { useOperatorWrite } from '../operator.ts';
import { visible } from '../rules/visible-text.ts';
import { plural } from '../rules/words.ts';
import { Check, SelectField } from '../ui/field.tsx';
import { textOf, textOrNull } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { say } from '../ui/toast.tsx';

interface Props {
  clusters: readonly Cluster[];
  onClose: () => void;
}

/** Moves the agents of a cluster away. Their tasks show how far they are. */
export function ClusterDrainForm({ clusters, onClose }: Props) {
  const drain = useOperatorWrite('drain_cluster', {
    done: ({ count }) =>
      say(count === 0 ? 'No agent moves now.' : `${plural(count, 'agent')} move. See their tasks.`),
  });
  const save = async (values: FormData) => {
    const body = { to: textOrNull(values, 'to'), force: values.has('force') };
    await drain.run({ path: { cluster_id: textOf(values, 'cluster_id') }, body });
    onClose();
  };
  const names = clusters.map(({ id }) => [id, visible(id)] as const);
  return (
    <FormDialog title="Move a cluster’s agents away?" action="Move them" onSave={save} onClose={onClose}>
      <p className="hint">
        The cluster takes no new agents. The runtime of each of its agents ends, then it starts in another
        cluster, ten at once. Messages wait meanwhile.
      </p>
      <SelectField name="cluster_id" label="Cluster" choices={names} />
      <SelectField name="to" label="To" choices={[['', 'Others of their region'], ...names]} />
      <Check name="force">Also if it does not answer: its runtimes are left behind</Check>
    </FormDialog>
  );
}

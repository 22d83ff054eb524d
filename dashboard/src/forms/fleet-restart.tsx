import { restart_instances as facts } from '@agent-control-plane/fields';
import { useOperatorRead, useOperatorWrite } from '../operator.ts';
import { useTenants } from '../pages/operator-filters.tsx';
import { boundsOf } from '../rules/bounds.ts';
import { visible } from '../rules/visible-text.ts';
import { plural } from '../rules/words.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { textOf, textOrNull } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { say } from '../ui/toast.tsx';

interface Props {
  /** Chosen above the list. */
  tenant: string | undefined;
  onClose: () => void;
}

/** Restarts of many agents. Their tasks show how far they are. */
export function FleetRestartForm({ tenant, onClose }: Props) {
  const tenants = useTenants();
  const manifests = useOperatorRead('list_operator_manifests', { query: { per_page: 100 } });
  const clusters = useOperatorRead('list_clusters', { query: { per_page: 100 } });
  const restart = useOperatorWrite('restart_instances', {
    done: ({ count }) =>
      say(count === 0 ? 'No running agent fits.' : `${plural(count, 'agent')} restart. See their tasks.`),
  });
  const save = async (values: FormData) => {
    const body = {
      tenant_id: textOrNull(values, 'tenant_id'),
      manifest_id: textOrNull(values, 'manifest_id'),
      cluster_id: textOrNull(values, 'cluster_id'),
      at_once: Number(textOf(values, 'at_once')),
    };
    await restart.run({ body });
    onClose();
  };
  return (
    <FormDialog title="Restart running agents?" action="Restart them" onSave={save} onClose={onClose}>
      <p className="hint">
        The runtime of each ends, and a new one starts with its tier and its image of now. Messages wait
        meanwhile. Agents that another task is at work on are left out.
      </p>
      <SelectField
        name="tenant_id"
        label="Tenant"
        defaultValue={tenant ?? ''}
        choices={[
          ['', 'All tenants, in turn'],
          ...tenants.map(({ tenant_id, name }) => [tenant_id, visible(name)] as const),
        ]}
      />
      <SelectField
        name="manifest_id"
        label="Manifest"
        choices={[
          ['', 'Any'],
          ...(manifests.data?.items ?? []).map(({ id, name }) => [id, visible(name)] as const),
        ]}
      />
      <SelectField
        name="cluster_id"
        label="Cluster"
        choices={[['', 'Any'], ...(clusters.data?.items ?? []).map(({ id }) => [id, visible(id)] as const)]}
      />
      <TextField
        name="at_once"
        label="At the same time"
        type="number"
        defaultValue={10}
        {...boundsOf(facts.at_once)}
        required
      />
    </FormDialog>
  );
}

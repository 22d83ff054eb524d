import { useOperatorRead } from '../operator.ts';
import { visible } from '../rules/visible-text.ts';
import { Button } from '../ui/button.tsx';
import type { Choice } from '../ui/field.tsx';
import { Empty } from '../ui/notice.tsx';
import { SelectFilter } from '../ui/select-filter.tsx';
import { Toolbar } from '../ui/toolbar.tsx';

/** As many as one answer holds; of further tenants the id is shown. */
const MOST = 100;

export function useTenants() {
  const { data } = useOperatorRead('list_tenants', { query: { per_page: MOST } });
  return data?.items ?? [];
}

/** A tenant by its name, where that is known. */
export function TenantName({ id }: { id: string }) {
  const name = useTenants().find((tenant) => tenant.tenant_id === id)?.name;
  return name === undefined ? <span className="mono muted">{id.slice(0, 8)}…</span> : visible(name);
}

interface FilterProps {
  tenant: string | undefined;
  onChoose: (tenant: string | undefined) => void;
}

function TenantFilter({ tenant, onChoose }: FilterProps) {
  const tenants = useTenants();
  const known = tenants.some(({ tenant_id }) => tenant_id === tenant);
  return (
    <SelectFilter
      label="Tenant"
      value={tenant ?? ''}
      choices={[
        ['', 'All tenants'],
        ...tenants.map(({ tenant_id, name }) => [tenant_id, visible(name)] as const),
        ...(tenant === undefined || known ? [] : [[tenant, tenant] as const]),
      ]}
      onChoose={(to) => onChoose(to || undefined)}
    />
  );
}

export interface Narrowed {
  tenant?: string | undefined;
  status?: string | undefined;
}

interface FiltersProps extends Narrowed {
  /** Value and words. */
  states: readonly Choice[];
  onNarrow: (by: Narrowed) => void;
}

/** Above a list of all tenants. */
export const Filters = ({ tenant, status, states, onNarrow }: FiltersProps) => (
  <Toolbar>
    <TenantFilter tenant={tenant} onChoose={(to) => onNarrow({ tenant: to, status })} />
    <SelectFilter
      label="State"
      value={status ?? ''}
      choices={[['', 'All states'], ...states]}
      onChoose={(to) => onNarrow({ tenant, status: to || undefined })}
    />
  </Toolbar>
);

interface NoneProps extends Narrowed {
  onNarrow: (by: Narrowed) => void;
  /** The noun of the list, as in "No task fits". */
  one: string;
  /** Where nothing narrows the list. */
  children: string;
}

export const None = ({ tenant, status, onNarrow, one, children }: NoneProps) => {
  const isNarrow = tenant !== undefined || status !== undefined;
  return (
    <Empty action={isNarrow && <Button onClick={() => onNarrow({})}>Show all</Button>}>
      {isNarrow ? `No ${one} fits.` : children}
    </Empty>
  );
};

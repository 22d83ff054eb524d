import type { CreatedTenant } from '@agent-control-plane/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { OperatorLinkForm, type UserLink } from '../forms/operator-link.tsx';
import { TenantCreateForm } from '../forms/tenant-create.tsx';
import { TenantLimitsForm } from '../forms/tenant-limits.tsx';
import { useOperatorRead } from '../operator.ts';
import { invitationLink } from '../rules/links.ts';
import { visible } from '../rules/visible-text.ts';
import { plural } from '../rules/words.ts';
import { Button } from '../ui/button.tsx';
import { Listed } from '../ui/listed.tsx';
import { Empty } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { Time } from '../ui/time.tsx';
import { say } from '../ui/toast.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import { type TenantAct, TenantRename, TenantSwitch, tenantColumns } from './operator-tenant-acts.tsx';

const route = getRouteApi('/operator/operator/tenants');

export function OperatorTenants() {
  const { page = 1, search, open } = route.useSearch();
  const navigate = route.useNavigate();
  const [act, setAct] = useState<TenantAct>();
  const [link, setLink] = useState<UserLink>();
  const list = useOperatorRead('list_tenants', { query: { page, per_page: 50, ...(search && { search }) } });
  const find = useCallback(
    (words: string) =>
      void navigate({
        search: (old) => ({ ...old, search: words || undefined, page: undefined }),
        replace: true,
      }),
    [navigate],
  );
  const openAs = (what: string | undefined) => void navigate({ search: (old) => ({ ...old, open: what }) });
  const made = (tenant: CreatedTenant, name: string) => {
    openAs(undefined);
    const link = linkOf(tenant);
    if (link) setLink(link);
    else say(`${name} is there, and its admin signs in with the password.`);
  };
  const total = list.data?.total;
  return (
    <Page
      title="Tenants"
      name="Tenants · Operator"
      sub={total !== undefined && `${plural(total, 'tenant')}. None sees another.`}
      actions={
        <Button look="primary" icon="plus" onClick={() => openAs('new')}>
          Tenant
        </Button>
      }
    >
      <Toolbar>
        <SearchField label="Search by name" value={search ?? ''} onSearch={find} />
      </Toolbar>
      <Listed
        of={list}
        rows={({ items }) => items}
        label="Tenants"
        columns={tenantColumns(setAct)}
        onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
        empty={<NoTenants search={search} clear={() => find('')} add={() => openAs('new')} />}
      />
      {open === 'new' && <TenantCreateForm onMade={made} onClose={() => openAs(undefined)} />}
      {act && <Acts of={act} onLink={setLink} onClose={() => setAct(undefined)} />}
      {link && <LinkOnce of={link} onClose={() => setLink(undefined)} />}
    </Page>
  );
}

const linkOf = ({ invitation_token, expires_at }: CreatedTenant): UserLink | undefined =>
  invitation_token === undefined || expires_at === undefined
    ? undefined
    : { url: invitationLink(location.origin, invitation_token), expires_at };

interface NoTenantsProps {
  search: string | undefined;
  clear: () => void;
  add: () => void;
}

const NoTenants = ({ search, clear, add }: NoTenantsProps) =>
  search ? (
    <Empty action={<Button onClick={clear}>Show all</Button>}>
      No tenant has “{visible(search)}” in its name.
    </Empty>
  ) : (
    <Empty action={<Button onClick={add}>Make the first</Button>} command="agentctl bootstrap">
      There is no tenant yet, so nobody can sign in.
    </Empty>
  );

interface ActsProps {
  of: TenantAct;
  onLink: (link: UserLink) => void;
  onClose: () => void;
}

function Acts({ of: { tenant, does }, onLink, onClose }: ActsProps) {
  const made = (link: UserLink) => {
    onClose();
    onLink(link);
  };
  if (does === 'limits') return <TenantLimitsForm tenant_id={tenant.tenant_id} onClose={onClose} />;
  if (does === 'link') return <OperatorLinkForm of={tenant} onMade={made} onClose={onClose} />;
  if (does === 'rename') return <TenantRename of={tenant} onClose={onClose} />;
  return <TenantSwitch of={tenant} onClose={onClose} />;
}

const LinkOnce = ({ of: { url, expires_at }, onClose }: { of: UserLink; onClose: () => void }) => (
  <SecretDialog title="A link to hand on" secret={url} label="the link" onClose={onClose}>
    It is shown this once and works once, <Time at={expires_at} as="left" />. Whoever has it is let in.
  </SecretDialog>
);

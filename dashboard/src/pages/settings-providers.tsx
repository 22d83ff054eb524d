import type { LlmProvider } from '@agent-control-plane/sdk';
import { useState } from 'react';
import { LlmProviderForm } from '../forms/llm-provider.tsx';
import { useRead, useWrite } from '../queries.ts';
import { visible } from '../rules/visible-text.ts';
import { Answered } from '../ui/answered.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Empty } from '../ui/notice.tsx';
import { say } from '../ui/toast.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import { useChecks } from './provider-checks.ts';
import { ProviderModels } from './provider-models.tsx';
import { type ProviderAct, ProviderTable } from './provider-table.tsx';

interface Props {
  open: string | undefined;
  onOpen: (what: string | undefined) => void;
}

/** Model providers of the tenant, at its own cost. */
export function OwnProviders({ open, onOpen }: Props) {
  const [act, setAct] = useState<ProviderAct>();
  const list = useRead('list_tenant_llm_providers', { query: { per_page: 100 } });
  const put = useWrite('put_tenant_llm_provider');
  const ask = useWrite('check_tenant_llm_provider');
  const { checks, check } = useChecks((slug) => ask.run({ path: { slug } }));
  const close = () => {
    setAct(undefined);
    onOpen(undefined);
  };
  return (
    <>
      <Toolbar
        actions={
          <Button look="primary" icon="plus" onClick={() => onOpen('new')}>
            Model provider
          </Button>
        }
      >
        <p className="muted">
          Providers of your own, at your own cost. A model there is called by the provider’s short name and
          its own, as <code className="mono">house/small</code>.
        </p>
      </Toolbar>
      <Answered of={list}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty
              action={<Button onClick={() => onOpen('new')}>Add one</Button>}
              command="agentctl llm-providers set house --base-url https://api.openai.com/v1"
            >
              Agents use the operator’s models. A provider of your own adds others.
            </Empty>
          ) : (
            <ProviderTable rows={items} checks={checks} onCheck={check} onAct={setAct} />
          )
        }
      </Answered>
      {(open === 'new' || act?.does === 'change') && (
        <LlmProviderForm
          of={act?.provider}
          slugHint="Stands before a model’s name in recipes"
          onClose={close}
          save={async (slug, body) => {
            await put.run({ path: { slug }, body });
            close();
            check(slug);
          }}
        />
      )}
      {act?.does === 'models' && <Models slug={act.provider.slug} onClose={close} />}
      {act?.does === 'delete' && <Deletion of={act.provider} onClose={close} />}
    </>
  );
}

function Models({ slug, onClose }: { slug: string; onClose: () => void }) {
  const models = useRead('list_tenant_llm_provider_models', { path: { slug } });
  return <ProviderModels slug={slug} prefix={`${slug}/`} models={models} onClose={onClose} />;
}

function Deletion({ of: { slug }, onClose }: { of: LlmProvider; onClose: () => void }) {
  const remove = useWrite('delete_tenant_llm_provider', { done: () => say('The provider is deleted.') });
  return (
    <Confirm
      title={`Delete ${visible(slug)}?`}
      action="Delete the provider"
      run={() => remove.run({ path: { slug } })}
      onClose={onClose}
    >
      Its key is forgotten. Agents that call <span className="mono">{visible(slug)}/…</span> go to the
      operator’s provider from then on, which may not know such a model.
    </Confirm>
  );
}

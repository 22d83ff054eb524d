import type { LlmProvider } from '@agent-control-plane/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { LlmProviderForm } from '../forms/llm-provider.tsx';
import { useOperatorRead, useOperatorWrite } from '../operator.ts';
import { visible } from '../rules/visible-text.ts';
import { Answered } from '../ui/answered.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Empty } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { say } from '../ui/toast.tsx';
import { useChecks } from './provider-checks.ts';
import { ProviderModels } from './provider-models.tsx';
import { type ProviderAct, ProviderTable } from './provider-table.tsx';

const route = getRouteApi('/operator/operator/llm-providers');

export function OperatorProviders() {
  const { open } = route.useSearch();
  const navigate = route.useNavigate();
  const [act, setAct] = useState<ProviderAct>();
  const list = useOperatorRead('list_llm_providers', { query: { per_page: 100 } });
  const put = useOperatorWrite('put_llm_provider');
  const ask = useOperatorWrite('check_llm_provider');
  const { checks, check } = useChecks((slug) => ask.run({ path: { slug } }));
  const openAs = (what: string | undefined) => void navigate({ search: (old) => ({ ...old, open: what }) });
  const close = () => {
    setAct(undefined);
    openAs(undefined);
  };
  const save = async (slug: string, body: Parameters<typeof put.run>[0]['body']) => {
    await put.run({ path: { slug }, body });
    close();
    check(slug);
  };
  return (
    <Page
      title="Model providers"
      name="Model providers · Operator"
      sub="Of the whole service. “default” serves all models of the catalogue that name no other."
      actions={
        <Button look="primary" icon="plus" onClick={() => openAs('new')}>
          Model provider
        </Button>
      }
    >
      <Answered of={list}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty action={<Button onClick={() => openAs('new')}>Add “default”</Button>}>
              None is set here. Without the LLM_ settings, agents have no language model.
            </Empty>
          ) : (
            <ProviderTable rows={items} checks={checks} onCheck={check} onAct={setAct} />
          )
        }
      </Answered>
      {(open === 'new' || act?.does === 'change') && (
        <LlmProviderForm
          of={act?.provider}
          slugHint="“default”, or as models of the catalogue name it"
          save={save}
          onClose={close}
        />
      )}
      {act?.does === 'models' && <Models slug={act.provider.slug} onClose={close} />}
      {act?.does === 'delete' && <Deletion of={act.provider} onClose={close} />}
    </Page>
  );
}

function Models({ slug, onClose }: { slug: string; onClose: () => void }) {
  const models = useOperatorRead('list_llm_provider_models', { path: { slug } });
  return <ProviderModels slug={slug} prefix="" models={models} onClose={onClose} />;
}

function Deletion({ of: { slug }, onClose }: { of: LlmProvider; onClose: () => void }) {
  const remove = useOperatorWrite('delete_llm_provider', { done: () => say('The provider is deleted.') });
  return (
    <Confirm
      title={`Delete ${visible(slug)}?`}
      action="Delete the provider"
      run={() => remove.run({ path: { slug } })}
      onClose={onClose}
    >
      Its key is forgotten. Models of the catalogue that name it go to “default” from then on, of all tenants.
    </Confirm>
  );
}

import type { OnboardingFlow } from '@agent-control-plane/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { OnboardingFlowForm } from '../forms/onboarding-flow.tsx';
import { useRead, useWrite } from '../queries.ts';
import { visible } from '../rules/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { Cards } from '../ui/cards.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Name } from '../ui/name.tsx';
import { Empty } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { Time } from '../ui/time.tsx';
import { say } from '../ui/toast.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import style from './settings.module.css';

const route = getRouteApi('/inside/settings/settings/onboarding-flows');

export function SettingsFlows() {
  const { page = 1, open } = route.useSearch();
  const navigate = route.useNavigate();
  const [ending, setEnding] = useState<OnboardingFlow>();
  const { data: me } = useRead('get_me', {});
  const isAdmin = me?.role === 'admin';
  const list = useRead('list_onboarding_flows', { query: { page, per_page: 20 } });
  const openAs = (what: string | undefined) => void navigate({ search: (old) => ({ ...old, open: what }) });
  const opened = list.data?.items.find(({ id }) => id === open);
  return (
    <>
      <Toolbar
        actions={
          isAdmin && (
            <Button look="primary" icon="plus" onClick={() => openAs('new')}>
              Onboarding flow
            </Button>
          )
        }
      >
        <p className="muted">
          A recipe may name one. A new sender is asked its steps, and the agent then gets all replies
          together.
        </p>
      </Toolbar>
      <Cards
        of={list}
        onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
        empty={
          <Empty
            action={isAdmin && <Button onClick={() => openAs('new')}>Write the first</Button>}
            command="agentctl onboarding-flows apply --file flow.yaml"
          >
            New senders are asked nothing: each first message goes to the agent.
          </Empty>
        }
        card={(each) => (
          <Flow
            of={each}
            actions={
              isAdmin && (
                <Menu label={`Actions for ${visible(each.name)}`}>
                  <MenuItem onSelect={() => openAs(each.id)}>Change…</MenuItem>
                  <MenuItem bad onSelect={() => setEnding(each)}>
                    Delete…
                  </MenuItem>
                </Menu>
              )
            }
          />
        )}
      />
      {isAdmin && (open === 'new' || opened) && (
        <OnboardingFlowForm of={opened} onClose={() => openAs(undefined)} />
      )}
      {ending && <Deletion of={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

const Flow = ({ of: { name, steps, updated_at }, actions }: { of: OnboardingFlow; actions: ReactNode }) => (
  <Panel title={<Name of={name} />} aside={actions}>
    <ol className={style.sentences}>
      {steps.map(({ text, save_as }, at) => (
        // Steps have no other identity than their place.
        <li key={`${at}-${text}`}>
          <span className="said">{visible(text)}</span>
          <span className={`hint ${style.under}`}>
            {save_as ? (
              <>
                The reply is kept as <code className="mono">{visible(save_as)}</code>
              </>
            ) : (
              'The reply is not kept'
            )}
          </span>
        </li>
      ))}
    </ol>
    <p className={`hint ${style.foot}`}>
      Changed <Time at={updated_at} as="when" />
    </p>
  </Panel>
);

function Deletion({ of: { id, name }, onClose }: { of: OnboardingFlow; onClose: () => void }) {
  const remove = useWrite('delete_onboarding_flow', { done: () => say('The flow is deleted.') });
  return (
    <Confirm
      title={`Delete ${visible(name)}?`}
      action="Delete the flow"
      run={() => remove.run({ path: { onboarding_flow_id: id } })}
      onClose={onClose}
    >
      A sender who is being asked comes to the agent with the next message. A recipe that still names the flow
      cannot be deployed until it names another.
    </Confirm>
  );
}

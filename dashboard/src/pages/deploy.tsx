import { getRouteApi } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { DeployForm } from '../forms/deploy-form.tsx';
import { useDeployInputs } from '../forms/deploy-inputs.ts';
import { useWrite } from '../queries.ts';
import { deployBody, type Keyed, keyFor, mintKey } from '../rules/deploy-request.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Form } from '../ui/form.tsx';
import { Empty, Notice, Skeleton } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import style from './deploy.module.css';
import { DeployPlan, useDeployPlan } from './deploy-plan.tsx';
import { useIsAdmin } from './use-instance.ts';

const route = getRouteApi('/inside/deploy');

const FORM = 'deploy';

export function Deploy() {
  const isAdmin = useIsAdmin();
  if (isAdmin === undefined) return <Skeleton />;
  if (isAdmin) return <Deployment />;
  return (
    <Page title="Deploy an agent">
      <Empty action={<ButtonLink to="/instances">See the agents</ButtonLink>}>
        Admins deploy agents, because that takes the credentials of customers.
      </Empty>
    </Page>
  );
}

function Deployment() {
  const navigate = route.useNavigate();
  const draft = useDeployInputs();
  const { inputs } = draft;
  const plan = useDeployPlan(inputs);
  const deploy = useWrite('deploy_recipe');
  const key = useRef<Keyed>(undefined);
  const [isRefused, setRefused] = useState(false);
  const why = whyNot(inputs, plan.data);
  const send = async () => {
    if (why !== undefined) return;
    key.current = keyFor(inputs, key.current, mintKey);
    const plan_hash = plan.isCurrent ? plan.data?.plan_hash : undefined;
    const { instance_id } = await deploy.run({ body: deployBody(inputs, key.current.key, plan_hash) });
    setRefused(instance_id === null);
    if (instance_id !== null)
      await navigate({
        to: inputs.isTried ? '/instances/$instance_id/talk' : '/instances/$instance_id/timeline',
        params: { instance_id },
      });
  };
  const button = (
    <div className={style.send}>
      {why !== undefined && <span className="hint">{why}</span>}
      <Button type="submit" form={FORM} look="primary" pending={deploy.pending} disabled={why !== undefined}>
        {inputs.isTried ? 'Deploy and talk' : 'Deploy'}
      </Button>
    </div>
  );
  return (
    <Page
      title="Deploy an agent"
      sub="A recipe goes to work for a customer. It takes about two seconds, and can be undone."
    >
      <div className={style.two}>
        <Form id={FORM} label="Deploy" onSave={send} className={style.form}>
          {isRefused && (
            <Notice tone="wait">Nothing was deployed: meanwhile a connection has gone missing.</Notice>
          )}
          <DeployForm draft={draft} config={plan.data?.resolved_config} />
        </Form>
        <DeployPlan inputs={inputs} plan={plan} button={button} />
      </div>
    </Page>
  );
}

function whyNot(
  { recipe_id, customer_id, hostname, tier_id, region_id }: ReturnType<typeof useDeployInputs>['inputs'],
  plan: { ready: boolean } | undefined,
): string | undefined {
  if (recipe_id === '') return 'It needs a recipe.';
  if (customer_id === '') return 'It needs a customer.';
  if (hostname.trim() === '') return 'It needs a name.';
  if (tier_id === '' || region_id === '') return 'It needs a size and a place.';
  return plan?.ready === false ? 'It waits for the connections that are missing.' : undefined;
}

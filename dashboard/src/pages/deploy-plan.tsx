import type { ReactNode } from 'react';
import { useRead } from '../queries.ts';
import { type DeployInputs, overridesOf } from '../rules/deploy-request.ts';
import { needsOf, needWords } from '../rules/needs.ts';
import { planLines } from '../rules/plan-lines.ts';
import { clockSeconds } from '../rules/time.ts';
import { Answered } from '../ui/answered.tsx';
import { Command } from '../ui/copy.tsx';
import { Notice } from '../ui/notice.tsx';
import { Facts } from '../ui/panel.tsx';
import { useSettled } from '../ui/settled.ts';
import style from './deploy.module.css';
import { HashWords, Lines } from './plan-lines.tsx';
import { MissingConnections, Violations } from './plan-parts.tsx';
import recipe from './recipe-plan.module.css';

/** A name is part of a plan, and while there is none, any will do. */
const NO_NAME = 'agent';

/** Shows what a deploy would do, asked anew with each change. */
export function useDeployPlan(inputs: DeployInputs) {
  const paused = useSettled(inputs);
  const { recipe_id, customer_id, hostname } = paused;
  const instance_overrides = overridesOf(paused);
  const isAsked = recipe_id !== '' && customer_id !== '';
  const body = {
    recipe_id,
    customer_id,
    hostname: hostname.trim() || NO_NAME,
    ...(instance_overrides && { instance_overrides }),
  };
  const { data, error, refetch, isFetching, isPlaceholderData, dataUpdatedAt } = useRead(
    'check_deploy',
    { body },
    { enabled: isAsked },
  );
  const isCurrent = isAsked && !isPlaceholderData && paused === inputs;
  return { data: isAsked ? data : undefined, error, refetch, isFetching, isCurrent, isAsked, dataUpdatedAt };
}

interface DeployPlanProps {
  inputs: DeployInputs;
  plan: ReturnType<typeof useDeployPlan>;
  /** Carries it out. */
  button: ReactNode;
}

export const DeployPlan = ({ inputs, plan, button }: DeployPlanProps) => (
  <aside className={recipe.plan} aria-label="The plan">
    <header>
      <h2>The plan</h2>
      <span className="hint num">
        {plan.isFetching
          ? 'checking…'
          : plan.isAsked && plan.dataUpdatedAt > 0 && `checked ${clockSeconds(plan.dataUpdatedAt)}`}
      </span>
    </header>
    {plan.isAsked ? (
      <Answered of={plan}>{(checked) => <Checked inputs={inputs} plan={checked} />}</Answered>
    ) : (
      <p className={`hint ${recipe.none}`}>
        Choose a recipe and a customer, and here stands what the agent will have, what is missing for it, and
        who acts on each part.
      </p>
    )}
    {button}
  </aside>
);

function Checked({
  inputs,
  plan,
}: {
  inputs: DeployInputs;
  plan: NonNullable<DeployPlanProps['plan']['data']>;
}) {
  const isInUse = plan.violations.some(({ code }) => code === 'hostname_in_use');
  const others = plan.violations.filter(({ code }) => code !== 'hostname_in_use');
  return (
    <>
      <div className={style.notes}>
        {plan.ready && <Notice tone="good">Nothing is missing.</Notice>}
        <MissingConnections customer_id={inputs.customer_id} of={plan.missing_connections} />
        {isInUse && inputs.hostname.trim() !== '' && (
          <Notice tone="wait">
            Another agent has this name. They would be told apart by their ids alone.
          </Notice>
        )}
        <Violations of={others} />
      </div>
      <Lines
        lines={planLines(
          {
            resolved_config: plan.resolved_config,
            effects: plan.effects,
            provenance: Object.fromEntries(Object.keys(plan.effects).map((pointer) => [pointer, 'recipe'])),
          },
          overridesOf(inputs),
        )}
        override="Of this agent alone"
      />
      <footer>
        <Facts
          of={[
            ['Needs', needWords(needsOf(plan.resolved_config)) || 'no connection'],
            ['Plan', <HashWords key="plan" hash={plan.plan_hash} />],
          ]}
        />
      </footer>
      <div className={style.command}>
        <Command>{commandOf(inputs)}</Command>
      </div>
    </>
  );
}

function commandOf(inputs: DeployInputs): string {
  const { recipe_id, customer_id, hostname, tier_id, region_id, hosting_mode } = inputs;
  const overrides = overridesOf(inputs);
  const parts = [
    `agentctl deploy ${recipe_id} --customer ${customer_id} --hostname ${hostname.trim() || '<name>'}`,
    tier_id && `--tier ${tier_id}`,
    region_id && `--region ${region_id}`,
    hosting_mode && `--hosting-mode ${hosting_mode}`,
    overrides && `--override '${JSON.stringify(overrides).replaceAll("'", "'\\''")}'`,
    '--wait',
  ];
  return parts.filter(Boolean).join(' ');
}

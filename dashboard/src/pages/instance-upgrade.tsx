import type { InstanceDetail, UpgradeResult } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useRead, useWrite } from '../queries.ts';
import { originsOf } from '../rules/origins.ts';
import { onlySet } from '../rules/recipe-content.ts';
import { isSame } from '../rules/recipe-patch.ts';
import { Answered } from '../ui/answered.tsx';
import { Button } from '../ui/button.tsx';
import { Command } from '../ui/copy.tsx';
import field from '../ui/field.module.css';
import { Check } from '../ui/field.tsx';
import { Empty, Failed, Notice } from '../ui/notice.tsx';
import { Section } from '../ui/page.tsx';
import { say } from '../ui/toast.tsx';
import style from './instance-upgrade.module.css';
import { MissingConnections, Permissions, Violations } from './plan-parts.tsx';
import { RevisionDiff } from './revision-diff.tsx';
import { useInstance } from './use-instance.ts';

const route = getRouteApi('/inside/instances/$instance_id/upgrade');

export function InstanceUpgrade() {
  const instance = useInstance();
  return (
    <Answered of={instance}>
      {(data) =>
        data.status === 'running' || data.status === 'stopped' ? (
          <Planned key={data.id} of={data} />
        ) : (
          <Empty>It is upgraded while it runs or is stopped, and it does neither now.</Empty>
        )
      }
    </Answered>
  );
}

/** The plan is the answer to a dry run, and carried out as it is shown or not at all. */
function Planned({ of }: { of: InstanceDetail }) {
  const { to, own } = route.useSearch();
  const revision = /^[1-9]\d{0,8}$/.test(to ?? '') ? Number(to) : undefined;
  const wanted = {
    ...(revision !== undefined && { revision }),
    ...(own === 'none' && { instance_overrides: {} }),
  };
  const path = { instance_id: of.id };
  const plan = useRead('upgrade_instance', { path, body: { ...wanted, dry_run: true } });
  const upgrade = useWrite('upgrade_instance');
  const navigate = route.useNavigate();
  const isBusy = of.task !== null;
  const run = async (plan_hash: string) => {
    const result = await upgrade.run({ path, body: { ...wanted, plan_hash } }).catch(() => undefined);
    if (!result) return;
    if (!result.ready) {
      say('A connection is missing, so nothing was changed.');
      return;
    }
    await navigate({ to: '/instances/$instance_id/timeline', params: path });
  };
  return (
    <Answered of={plan}>
      {(result) => {
        const isNothing = result.changes.length === 0 && result.revision === result.deployed_revision;
        return (
          <>
            <div className={style.bar}>
              <h2 className="vh">
                From r{result.deployed_revision} to r{result.revision}
              </h2>
              <Choose of={of} chosen={result.revision} />
              <Button
                look="primary"
                pending={upgrade.pending}
                disabled={isNothing || isBusy || plan.isPlaceholderData || !result.ready}
                onClick={() => void run(result.plan_hash)}
              >
                Upgrade to r{result.revision}
              </Button>
            </div>
            {of.hosting_mode === 'dedicated' && (own === 'none' || hasOwn(of)) && (
              <Own isKept={own !== 'none'} />
            )}
            <WhyNot isNothing={isNothing} isBusy={isBusy} isReady={result.ready} revision={result.revision} />
            {upgrade.error && <Failed error={upgrade.error} retry={() => void plan.refetch()} />}
            {!isNothing && <Plan of={of} plan={result} />}
          </>
        );
      }}
    </Answered>
  );
}

const hasOwn = ({ provenance }: InstanceDetail) =>
  Object.values(originsOf(provenance)).some((origin) => origin === 'override');

/** For an agent that was tried without a number, this is the way to the rest. */
function Own({ isKept }: { isKept: boolean }) {
  const navigate = route.useNavigate();
  return (
    <div className={style.own}>
      <Check
        checked={isKept}
        onChange={({ target: { checked } }) =>
          void navigate({ search: (old) => ({ ...old, own: checked ? undefined : 'none' }), replace: true })
        }
      >
        Keep what is different for this agent alone
        <span className="hint"> Else it becomes what the recipe says.</span>
      </Check>
    </div>
  );
}

interface WhyNotProps {
  isNothing: boolean;
  isBusy: boolean;
  isReady: boolean;
  revision: number;
}

/** A disabled button says why. */
function WhyNot({ isNothing, isBusy, isReady, revision }: WhyNotProps) {
  if (isBusy) return <p className="hint">Another task is under way; it is upgraded afterwards.</p>;
  if (isNothing)
    return (
      <Notice tone="good">
        It is what r{revision} says, with nothing to upgrade. Choose another revision to see how it would
        differ.
      </Notice>
    );
  if (!isReady)
    return <p className="hint">It waits for the connections below, which the new revision requires.</p>;
  return (
    <p className="hint">
      It keeps its number, its people, its PINs and conversations. If a step fails for good, all is undone.
    </p>
  );
}

function Plan({ of, plan }: { of: InstanceDetail; plan: UpgradeResult }) {
  return (
    <>
      <div className={style.notes}>
        <MissingConnections customer_id={of.customer_id} of={plan.missing_connections} />
        <Violations of={plan.violations} />
      </div>
      <Section title="What it may do">
        <Permissions before={of.resolved_config} after={plan.resolved_config} />
      </Section>
      <Section title="All changes">
        {isSame(of.resolved_config, plan.resolved_config) ? (
          <p className="muted">Only the number of the revision changes.</p>
        ) : (
          <RevisionDiff before={onlySet(of.resolved_config)} after={onlySet(plan.resolved_config)} />
        )}
      </Section>
      <div className={style.command}>
        <Command>{`agentctl upgrade ${of.id} --revision ${plan.revision}`}</Command>
      </div>
    </>
  );
}

function Choose({ of, chosen }: { of: InstanceDetail; chosen: number }) {
  const id = useId();
  const navigate = route.useNavigate();
  const { data } = useRead('get_recipe', { path: { template_id: of.recipe_id } });
  if (!data) return null;
  const revisions = Array.from({ length: data.revision }, (_, at) => data.revision - at);
  return (
    <span className={style.choose}>
      <span className={`mono ${style.from}`}>r{of.recipe_revision}</span>
      <label htmlFor={id} className={style.to}>
        <span className="vh">Upgrade to</span>
        <span aria-hidden="true">→</span>
      </label>
      <select
        id={id}
        className={field.input}
        value={chosen}
        onChange={({ target: { value } }) =>
          void navigate({ search: (old) => ({ ...old, to: value }), replace: true })
        }
      >
        {revisions.map((each) => (
          <option key={each} value={each}>
            r{each}
            {each === data.revision && ', the newest'}
            {each === of.recipe_revision && ', as it is'}
          </option>
        ))}
      </select>
      <Link to="/recipes/$recipe_id/revisions" params={{ recipe_id: of.recipe_id }} className="link hint">
        All revisions
      </Link>
    </span>
  );
}

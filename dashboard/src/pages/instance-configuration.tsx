import type { InstanceDetail } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { needsOf, needWords } from '../rules/needs.ts';
import { originsOf } from '../rules/origins.ts';
import { planLines } from '../rules/plan-lines.ts';
import { valueAt } from '../rules/recipe-patch.ts';
import { slugsOf } from '../rules/slugs.ts';
import { Answered } from '../ui/answered.tsx';
import { Skeleton } from '../ui/notice.tsx';
import { Facts, Panel } from '../ui/panel.tsx';
import { Said } from '../ui/said.tsx';
import { Budget } from './instance-budget.tsx';
import style from './instance-configuration.module.css';
import frame from './instance-frame.module.css';
import { Lines } from './plan-lines.tsx';
import { useInstance } from './use-instance.ts';

const ConfigurationText = lazy(() =>
  import('./configuration-text.tsx').then(({ ConfigurationText: component }) => ({ default: component })),
);

const route = getRouteApi('/inside/instances/$instance_id/configuration');

const VIEWS = [
  [undefined, 'Readable'],
  ['yaml', 'YAML'],
  ['json', 'JSON'],
] as const;

export function InstanceConfiguration() {
  const { view } = route.useSearch();
  const instance = useInstance();
  return (
    <>
      <nav className={style.views} aria-label="Views of the configuration">
        {VIEWS.map(([value, words]) => (
          <Link
            key={words}
            from="/instances/$instance_id/configuration"
            to="."
            search={value === undefined ? {} : { view: value }}
            replace
            activeOptions={{ exact: true, includeSearch: true }}
            className={style.view}
          >
            {words}
          </Link>
        ))}
        <span className="hint">As it was deployed or last upgraded. It changes by an upgrade alone.</span>
      </nav>
      <Answered of={instance}>
        {(data) =>
          view === 'yaml' || view === 'json' ? (
            <Suspense fallback={<Skeleton />}>
              <ConfigurationText key={view} language={view} of={data.resolved_config} />
            </Suspense>
          ) : (
            <Readable of={data} />
          )
        }
      </Answered>
    </>
  );
}

function Readable({ of }: { of: InstanceDetail }) {
  const { resolved_config: config, effects } = of;
  const prompt = config.system_prompt;
  return (
    <div className={frame.two}>
      <div className={frame.stack}>
        <Panel title="Prompt">
          {typeof prompt === 'string' ? (
            <Said text={prompt} />
          ) : (
            <p className="muted">It has none: it goes by its skills and the customer’s rules.</p>
          )}
        </Panel>
        <Panel title="What it may do">
          <Facts
            of={[
              ['Skills', <Slugs key="skills" of={config.skills} none="none" />],
              [
                'Channels',
                <Slugs key="channels" of={config.channel_types} none="none: it answers here alone" />,
              ],
              ['Tools', <Slugs key="tools" of={config.mcp_servers} none="no server" />],
              ['Connections', needWords(needsOf(config)) || 'none'],
            ]}
          />
        </Panel>
        <Model of={of} />
      </div>
      <section className={style.all} aria-label="All of it">
        <header>
          <h2>All of it</h2>
          <Legend />
        </header>
        <Lines
          lines={planLines({
            resolved_config: config,
            effects: effects ?? actorsUnknown(config),
            provenance: originsOf(of.provenance),
          })}
          override="Of this agent alone"
        />
      </section>
    </div>
  );
}

/** Nobody noted who acts for agents that an earlier version of the service deployed. */
const actorsUnknown = (config: object) =>
  Object.fromEntries(Object.keys(config).map((name) => [`/${name}`, 'runtime' as const]));

const Slugs = ({ of, none }: { of: unknown; none: string }): ReactNode => {
  const slugs = slugsOf(of);
  return slugs.length === 0 ? (
    <span className="muted">{none}</span>
  ) : (
    <span className="mono">{slugs.join(', ')}</span>
  );
};

function Model({ of }: { of: InstanceDetail }) {
  const policy = (name: string) => valueAt(of.resolved_config, ['model_policy', name]);
  const model = policy('model');
  const fallbacks = slugsOf(policy('fallback_models'));
  const temperature = policy('temperature');
  return (
    <Panel title="Model">
      <Facts
        of={[
          [
            'Answers with',
            typeof model === 'string' ? (
              <span key="model" className="mono">
                {model}
              </span>
            ) : (
              'the service’s own'
            ),
          ],
          fallbacks.length > 0 && ['Where that fails', fallbacks.join(', ')],
          typeof temperature === 'number' && ['Temperature', String(temperature)],
          ['This month', <Budget key="budget" of={of.budget} />],
        ]}
      />
    </Panel>
  );
}

const Legend = () => (
  <ul className={`hint ${style.legend}`}>
    <li data-origin="platform">platform</li>
    <li data-origin="recipe">recipe</li>
    <li data-origin="override">this agent</li>
  </ul>
);

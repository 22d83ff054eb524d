import type { InstanceDetail, Item, ToolServer } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useRead } from '../queries.ts';
import { approvalPath } from '../rules/names.ts';
import { isObject, valueAt } from '../rules/recipe-patch.ts';
import type { Sign } from '../rules/status.ts';
import { span } from '../rules/time.ts';
import { visible } from '../rules/visible-text.ts';
import { plural } from '../rules/words.ts';
import { Answered } from '../ui/answered.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Listed } from '../ui/listed.tsx';
import { Empty } from '../ui/notice.tsx';
import { Section } from '../ui/page.tsx';
import { Panel, Rows } from '../ui/panel.tsx';
import { Signed, Status } from '../ui/status.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { LatestCalls } from './instance-calls.tsx';
import frame from './instance-frame.module.css';
import style from './instance-tools.module.css';
import { useInstance } from './use-instance.ts';

const route = getRouteApi('/inside/instances/$instance_id/tools');

export function InstanceTools() {
  const instance = useInstance();
  return (
    <Answered of={instance}>
      {(data) =>
        data.mcp_servers.length === 0 ? (
          <Empty
            action={
              <ButtonLink to="/recipes/$recipe_id/edit" params={{ recipe_id: data.recipe_id }}>
                Add one to its recipe
              </ButtonLink>
            }
          >
            Its recipe names no server of tools, so it has its skills alone.
          </Empty>
        ) : (
          <>
            <div className={frame.two}>
              <Panel title="Servers" bare>
                <Rows>
                  {data.mcp_servers.map((server) => (
                    <Server key={server.name} of={server} url={urlOf(data, server.name)} />
                  ))}
                </Rows>
              </Panel>
              <Rules of={data} />
            </div>
            <Calls instance_id={data.id} />
            <LatestCalls instance_id={data.id} />
          </>
        )
      }
    </Answered>
  );
}

const elementsAt = (of: InstanceDetail, ...path: string[]) => {
  const value = valueAt(of.resolved_config, path);
  return Array.isArray(value) ? value.filter(isObject) : [];
};

const urlOf = (of: InstanceDetail, name: string): string => {
  const url = elementsAt(of, 'mcp_servers').find((each) => each.name === name)?.url;
  return typeof url === 'string' ? url : '';
};

const signOfServer = ({ ok, tools }: ToolServer): Sign => {
  if (ok === null) return { word: 'not asked yet', shape: 'ring', tone: 'off' };
  if (!ok) return { word: 'does not answer', shape: 'triangle', tone: 'bad' };
  return { word: plural(tools ?? 0, 'tool'), shape: 'disc', tone: 'good' };
};

const Server = ({ of, url }: { of: ToolServer; url: string }) => (
  <li className={style.server}>
    <span className={style.words}>
      <span>
        <span className="mono strong">{visible(of.name)}</span>{' '}
        <span className="hint mono">{visible(url)}</span>
      </span>
      {of.error !== null && <span className="hint bad">{visible(of.error)}</span>}
      {of.problems.map(({ tool, reason }) => (
        <span key={`${tool} ${reason}`} className="hint">
          {tool !== null && <span className="mono">{visible(tool)}: </span>}
          {visible(reason)}
        </span>
      ))}
    </span>
    <span className={style.found}>
      <Signed sign={signOfServer(of)} />
      {of.at !== null && (
        <span className="hint">
          <Time at={of.at} as="when" />
        </span>
      )}
    </span>
  </li>
);

const MINUTE_MS = 60_000;

function Rules({ of }: { of: InstanceDetail }) {
  const rules = elementsAt(of, 'approval_rules', 'require');
  return (
    <Panel title="Asks first" bare={rules.length > 0}>
      {rules.length === 0 ? (
        <p className="muted">No tool waits for anybody: it calls all of them by itself.</p>
      ) : (
        <Rows>
          {rules.map((rule) => (
            <li key={String(rule.tool)}>
              <span>
                <span className="mono">{visible(String(rule.tool))}</span> waits for{' '}
                {rule.by === 'pin' ? 'the sender’s PIN' : 'a person'}
                {typeof rule.expires_minutes === 'number' && (
                  <span className="muted">, {span(rule.expires_minutes * MINUTE_MS)} at most</span>
                )}
              </span>
            </li>
          ))}
        </Rows>
      )}
    </Panel>
  );
}

type Call = Item<'list_approvals'>;

const COLUMNS: readonly Column<Call>[] = [
  {
    name: 'Tool',
    cell: ({ id, tool }) => (
      <Link to={approvalPath(id)} className="mono">
        {visible(tool)}
      </Link>
    ),
  },
  { name: 'State', cell: ({ status }) => <Status of="approval" is={status} /> },
  {
    name: 'Decided by',
    priority: 2,
    cell: ({ decided_by, comment }) => (
      <span className="muted">
        {decided_by?.name && visible(decided_by.name)}
        {comment !== null && comment !== '' && `: ${visible(comment)}`}
      </span>
    ),
  },
  { name: 'Asked', end: true, cell: ({ requested_at }) => <Time at={requested_at} as="when" /> },
];

function Calls({ instance_id }: { instance_id: string }) {
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useRead('list_approvals', { query: { instance_id, page, per_page: 20 } });
  return (
    <Section title="Calls that asked">
      <Listed
        of={list}
        rows={({ items }) => items}
        label="Calls that asked"
        columns={COLUMNS}
        onPage={(to) => void navigate({ search: { page: to } })}
        empty={<p className="muted">None has asked yet.</p>}
      />
    </Section>
  );
}

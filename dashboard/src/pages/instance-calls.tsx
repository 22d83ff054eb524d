import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { operation, useRead } from '../queries.ts';
import { Answered } from '../ui/answered.tsx';
import { Name } from '../ui/name.tsx';
import { Section } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';
import { Time } from '../ui/time.tsx';
import { ToolCallLine } from './conversation-tool-call.tsx';
import style from './instance-tools.module.css';

/** No list has the calls of all conversations, so the latest of these are read. */
const CONVERSATIONS = 5;
const MESSAGES = 20;
const SHOWN = 15;

/** The calls in an agent's latest conversations, newest first. */
export function LatestCalls({ instance_id }: { instance_id: string }) {
  const talks = useRead('list_conversations', { query: { instance_id, per_page: CONVERSATIONS } });
  return (
    <Section title="Latest calls">
      <Answered of={talks}>{({ items }) => <Calls of={items} />}</Answered>
    </Section>
  );
}

interface Talk {
  id: string;
  display_name: string | null;
  external_id: string;
}

function Calls({ of }: { of: readonly Talk[] }) {
  const reads = useQueries({
    queries: of.map(({ id }) =>
      operation('list_messages', { path: { conversation_id: id }, query: { per_page: MESSAGES } }),
    ),
  });
  const calls = reads
    .flatMap(({ data }, nth) =>
      (data?.items ?? []).flatMap(({ id, at, tool_calls }) =>
        tool_calls.map((call, place) => ({ key: `${id} ${place}`, at, call, talk: of[nth] })),
      ),
    )
    .toSorted((a, b) => b.at.localeCompare(a.at))
    .slice(0, SHOWN);
  if (calls.length === 0) return <p className="muted">No tool was called in its latest conversations.</p>;
  return (
    <Panel label="Latest calls" bare>
      <ul className={style.calls}>
        {calls.map(({ key, at, call, talk }) => (
          <li key={key}>
            <ToolCallLine of={call} />
            {talk && (
              <span className="hint">
                <Link
                  to="/conversations/$conversation_id"
                  params={{ conversation_id: talk.id }}
                  className="link"
                >
                  <Name of={talk.display_name ?? talk.external_id} />
                </Link>
                , <Time at={at} as="when" />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

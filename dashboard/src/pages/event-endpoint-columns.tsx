import type { EventEndpoint } from '@agent-control-plane/sdk';
import { eventWords } from '../rules/event-kinds.ts';
import type { Sign } from '../rules/status.ts';
import { visible } from '../rules/visible-text.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Signed } from '../ui/status.tsx';
import type { Column } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import style from './settings.module.css';

export interface Acting {
  endpoint: EventEndpoint;
  does: 'change' | 'rotate' | 'delete' | 'deliveries' | 'test' | 'switch';
}

const SHOWN_KINDS = 3;

const nameOf = ({ description, url, id }: EventEndpoint) => visible(description ?? url ?? id);

export const endpointColumns = (act: (what: Acting) => void): readonly Column<EventEndpoint>[] => [
  {
    name: 'Told',
    cell: (endpoint) => (
      <>
        <span className="strong">{nameOf(endpoint)}</span>
        {endpoint.description !== null && (
          <span className={`mono muted ${style.under}`}>{visible(endpoint.url ?? '')}</span>
        )}
      </>
    ),
  },
  { name: 'When', priority: 2, cell: ({ events }) => <Kinds of={events} /> },
  { name: 'State', cell: (endpoint) => <State of={endpoint} /> },
  {
    name: 'Last delivered',
    priority: 3,
    cell: ({ last_delivered_at }) =>
      last_delivered_at ? <Time at={last_delivered_at} /> : <span className="muted">never</span>,
  },
  {
    name: '',
    end: true,
    cell: (endpoint) => {
      const item = (does: Acting['does']) => () => act({ endpoint, does });
      return (
        <Menu label={`Actions for ${nameOf(endpoint)}`}>
          <MenuItem onSelect={item('deliveries')}>Show deliveries</MenuItem>
          {endpoint.is_active && <MenuItem onSelect={item('test')}>Send a test</MenuItem>}
          <MenuItem onSelect={item('change')}>Change…</MenuItem>
          <MenuItem onSelect={item('rotate')}>Replace the secret…</MenuItem>
          <MenuItem onSelect={item('switch')}>{endpoint.is_active ? 'Switch off' : 'Switch on'}</MenuItem>
          <MenuItem bad onSelect={item('delete')}>
            Delete…
          </MenuItem>
        </Menu>
      );
    },
  },
];

function Kinds({ of }: { of: readonly string[] }) {
  const words = of.map(eventWords);
  const more = words.length - SHOWN_KINDS;
  return (
    <span title={words.join('\n')}>
      {words.slice(0, SHOWN_KINDS).join(' · ')}
      {more > 0 && <span className="muted"> and {more} more</span>}
    </span>
  );
}

const signOf = ({ is_active, last_error }: EventEndpoint): Sign => {
  if (!is_active) return { word: 'off', shape: 'square', tone: 'off' };
  return last_error === null
    ? { word: 'on', shape: 'disc', tone: 'good' }
    : { word: 'takes nothing', shape: 'triangle', tone: 'bad' };
};

const State = ({ of }: { of: EventEndpoint }) => (
  <>
    <Signed sign={signOf(of)} />
    {of.last_error !== null && <p className="hint">{visible(of.last_error)}</p>}
  </>
);

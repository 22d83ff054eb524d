import type { EventEndpoint, EventEndpointWithSecret } from '@agent-control-plane/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { EventEndpointForm } from '../forms/event-endpoint.tsx';
import { EventSecretRotateForm } from '../forms/event-secret-rotate.tsx';
import { useRead, useWrite } from '../queries.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Listed } from '../ui/listed.tsx';
import { Empty } from '../ui/notice.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { say } from '../ui/toast.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import { EventDeliveries } from './event-deliveries.tsx';
import { type Acting, endpointColumns } from './event-endpoint-columns.tsx';

const route = getRouteApi('/inside/settings/settings/events');

/** Receivers take events and fail by themselves, and no hint tells of it. */
const EVERY_MS = 5000;

export function SettingsEvents() {
  const { open, of } = route.useSearch();
  const navigate = route.useNavigate();
  const [acting, setActing] = useState<Acting>();
  const [made, setMade] = useState<EventEndpointWithSecret>();
  const acts = useActs((id) => void navigate({ search: { of: id } }));
  const openAs = (what: string | undefined) => void navigate({ search: (old) => ({ ...old, open: what }) });
  const close = () => {
    setActing(undefined);
    if (open !== undefined) openAs(undefined);
  };
  const show = (endpoint: EventEndpointWithSecret) => {
    setMade(endpoint);
    close();
  };
  const act = (chosen: Acting) =>
    chosen.does === 'deliveries' || chosen.does === 'test' || chosen.does === 'switch'
      ? acts[chosen.does](chosen.endpoint)
      : setActing(chosen);
  return (
    <>
      <Toolbar
        actions={
          <Button look="primary" icon="plus" onClick={() => openAs('new')}>
            Event endpoint
          </Button>
        }
      >
        <p className="muted">Programs and channels of your team that are told what happens, as it happens.</p>
      </Toolbar>
      <Endpoints onAct={act} onNew={() => openAs('new')} />
      {of !== undefined && <EventDeliveries key={of} of={of} />}
      <Dialogs
        of={open === 'new' ? { does: 'new' } : acting}
        onMade={show}
        onGone={() => void navigate({ search: {} })}
        onClose={close}
      />
      {made && (
        <SecretDialog
          title="The signing secret"
          secret={made.signing_secret}
          label="the secret"
          onClose={() => setMade(undefined)}
        >
          It is shown this once. The receiver checks signatures with it; channels of a team need none.
        </SecretDialog>
      )}
    </>
  );
}

function Endpoints({ onAct, onNew }: { onAct: (what: Acting) => void; onNew: () => void }) {
  const list = useRead('list_event_endpoints', { query: { per_page: 100 } }, { every: EVERY_MS });
  return (
    <Listed
      of={list}
      rows={({ items }) => items}
      label="Event endpoints"
      columns={endpointColumns(onAct)}
      empty={
        <Empty
          action={<Button onClick={onNew}>Tell somebody</Button>}
          command="agentctl events create --to https://example.com/events"
        >
          Nobody is told of events yet.
        </Empty>
      }
    />
  );
}

/** Acts without a dialog. A refusal is told, because the row may be off the page by then. */
function useActs(showDeliveries: (id: string) => void) {
  const ping = useWrite('test_event_endpoint', { done: () => say('A test is on its way.') });
  const update = useWrite('update_event_endpoint', {
    done: ({ is_active }) => say(is_active ? 'Events are sent again.' : 'No events are sent there.'),
  });
  return {
    deliveries: ({ id }: EventEndpoint) => showDeliveries(id),
    test: ({ id }: EventEndpoint) => {
      showDeliveries(id);
      void ping.run({ path: { event_endpoint_id: id } }).catch(() => say('It is switched off.'));
    },
    switch: ({ id, is_active }: EventEndpoint) =>
      void update
        .run({ path: { event_endpoint_id: id }, body: { is_active: !is_active } })
        .catch(() => say('It could not be switched.')),
  };
}

interface DialogsProps {
  of: Acting | { does: 'new' } | undefined;
  onMade: (made: EventEndpointWithSecret) => void;
  /** The deliveries of what was deleted may be on the page. */
  onGone: () => void;
  onClose: () => void;
}

function Dialogs({ of, onMade, onGone, onClose }: DialogsProps) {
  switch (of?.does) {
    case 'new':
      return <EventEndpointForm of={undefined} onMade={onMade} onClose={onClose} />;
    case 'change':
      return <EventEndpointForm of={of.endpoint} onMade={onMade} onClose={onClose} />;
    case 'rotate':
      return <EventSecretRotateForm of={of.endpoint} onMade={onMade} onClose={onClose} />;
    case 'delete':
      return <Deletion of={of.endpoint} onGone={onGone} onClose={onClose} />;
    default:
      return null;
  }
}

type DeletionProps = Pick<DialogsProps, 'onGone' | 'onClose'> & { of: EventEndpoint };

function Deletion({ of: { id }, onGone, onClose }: DeletionProps) {
  const remove = useWrite('delete_event_endpoint', {
    done: () => {
      onGone();
      say('The event endpoint is deleted.');
    },
  });
  return (
    <Confirm
      title="Delete the event endpoint?"
      action="Delete it"
      run={() => remove.run({ path: { event_endpoint_id: id } })}
      onClose={onClose}
    >
      Nothing more is sent there, and the list of its deliveries goes with it.
    </Confirm>
  );
}

import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { clockMillis } from '../rules/time.ts';
import { plural } from '../rules/words.ts';
import { Button } from '../ui/button.tsx';
import { LogView } from '../ui/log-view.tsx';
import { Empty, Failed, Notice } from '../ui/notice.tsx';
import { saveFile } from '../ui/save-file.ts';
import { SearchField } from '../ui/search-field.tsx';
import { Signed } from '../ui/status.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import { useInstance, useIsAdmin } from './use-instance.ts';
import { useLog } from './use-log.ts';

const route = getRouteApi('/inside/instances/$instance_id/logs');

export function InstanceLogs() {
  const isAdmin = useIsAdmin();
  if (isAdmin === false) return <Empty>Logs may tell of customers, so only admins read them.</Empty>;
  return isAdmin && <Logs />;
}

const TAIL = 1000;

function Logs() {
  const { instance_id } = route.useParams();
  const { filter = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = useInstance();
  const [isPaused, setPaused] = useState(false);
  const { lines, isLive, error, retry } = useLog(instance_id, TAIL, isPaused);
  const find = useCallback(
    (words: string) => void navigate({ search: words ? { filter: words } : {}, replace: true }),
    [navigate],
  );
  const wanted = filter.toLowerCase();
  const shown = wanted === '' ? lines : lines.filter(({ line }) => line.toLowerCase().includes(wanted));
  const save = () =>
    saveFile(
      `${data?.hostname ?? 'agent'}.log`,
      shown.map(({ at, line }) => `${at} ${line}\n`).join(''),
      'text/plain',
    );
  return (
    <>
      <Toolbar
        actions={
          <>
            <Button icon={isPaused ? 'forward' : 'pause'} onClick={() => setPaused(!isPaused)}>
              {isPaused ? 'Follow' : 'Pause'}
            </Button>
            <Button icon="download" onClick={save} disabled={shown.length === 0}>
              Save
            </Button>
          </>
        }
      >
        <SearchField label="Lines with these letters" value={filter} onSearch={find} />
        <span className="hint num" role="status">
          <LiveWords isLive={isLive} isPaused={isPaused} count={countOf(shown.length, lines.length)} />
        </span>
      </Toolbar>
      {error !== undefined && <Failed error={error} retry={retry} />}
      {lines.length === 0 && error === undefined ? (
        <Empty command={`agentctl logs ${data?.hostname ?? '<agent>'} --follow`}>
          Its runtime has said nothing within a day. Lines are kept that long, without secrets.
        </Empty>
      ) : (
        <>
          <LogView
            label="Log of the runtime"
            lines={shown.map(({ id, at, line }) => ({ id, at: clockMillis(at), text: line }))}
          />
          {shown.length === 0 && <Notice tone="off">No line has “{filter}” in it.</Notice>}
        </>
      )}
    </>
  );
}

function countOf(shown: number, all: number): string {
  if (all === 0) return '';
  return shown === all ? `, ${plural(all, 'line')}` : `, ${shown} of ${plural(all, 'line')}`;
}

interface LiveWordsProps {
  isLive: boolean;
  isPaused: boolean;
  count: string;
}

function LiveWords({ isLive, isPaused, count }: LiveWordsProps) {
  if (isPaused)
    return <Signed sign={{ word: '', shape: 'ring', tone: 'off' }}>Paused{count}; new lines wait</Signed>;
  return isLive ? (
    <Signed sign={{ word: '', shape: 'disc', tone: 'good' }}>Live{count}</Signed>
  ) : (
    <Signed sign={{ word: '', shape: 'ring', tone: 'wait' }}>Away{count}</Signed>
  );
}

import { getRouteApi } from '@tanstack/react-router';
import { Chips } from '../ui/chips.tsx';
import { Changes } from './audit-changes.tsx';
import { ToolCalls } from './audit-tool-calls.tsx';
import { ChainCheck } from './chain-check.tsx';

const route = getRouteApi('/inside/settings/settings/audit');

const RECORDS = [
  ['changes', 'Changes'],
  ['calls', 'Tool calls'],
] as const;

/** Two records: changes of all callers, and calls of tools by language models. */
export function SettingsAudit() {
  const { of } = route.useSearch();
  const navigate = route.useNavigate();
  const shown = of === 'calls' ? 'calls' : 'changes';
  return (
    <>
      <Chips
        label="Record"
        of={RECORDS}
        chosen={shown}
        onChoose={(to) => void navigate({ search: to === 'calls' ? { of: to } : {} })}
      />
      {shown === 'calls' ? <ToolCalls /> : <Changes />}
      <ChainCheck key={shown} operation={shown === 'calls' ? 'verify_tool_calls' : 'verify_changes'} />
    </>
  );
}

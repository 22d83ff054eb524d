import type { LlmProvider } from '@agent-control-plane/sdk';
import { visible } from '../rules/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { CheckResult } from './provider-check.tsx';
import type { Checked } from './provider-checks.ts';
import style from './settings.module.css';

export interface ProviderAct {
  provider: LlmProvider;
  does: 'change' | 'models' | 'delete';
}

interface Props {
  rows: readonly LlmProvider[];
  checks: Readonly<Record<string, Checked>>;
  onCheck: (slug: string) => void;
  onAct: (act: ProviderAct) => void;
}

export const ProviderTable = ({ rows, ...props }: Props) => (
  <Table label="Model providers" rows={rows} columns={columns(props)} keyOf={({ slug }) => slug} />
);

const columns = ({ checks, onCheck, onAct }: Omit<Props, 'rows'>): readonly Column<LlmProvider>[] => [
  { name: 'Provider', cell: ({ slug }) => <code className="mono strong">{visible(slug)}</code> },
  {
    name: 'Address',
    priority: 2,
    cell: ({ base_url }) => <span className="mono muted">{visible(base_url)}</span>,
  },
  {
    name: 'State',
    cell: ({ slug }) => (
      <CheckResult
        pending={checks[slug]?.pending ?? false}
        answer={checks[slug]?.answer}
        error={checks[slug]?.error}
      />
    ),
  },
  { name: 'Changed', priority: 3, cell: ({ updated_at }) => <Time at={updated_at} as="when" /> },
  {
    name: '',
    end: true,
    cell: (provider) => (
      <span className={style.acts}>
        <Button small disabled={checks[provider.slug]?.pending} onClick={() => onCheck(provider.slug)}>
          Check now<span className="vh"> {visible(provider.slug)}</span>
        </Button>
        <Menu label={`Actions for ${visible(provider.slug)}`}>
          <MenuItem onSelect={() => onAct({ provider, does: 'models' })}>Choose a model…</MenuItem>
          <MenuItem onSelect={() => onAct({ provider, does: 'change' })}>Change…</MenuItem>
          <MenuItem bad onSelect={() => onAct({ provider, does: 'delete' })}>
            Delete…
          </MenuItem>
        </Menu>
      </span>
    ),
  },
];

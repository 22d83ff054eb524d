import type { RulesTemplate } from '@agent-control-plane/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { RulesTemplateForm } from '../forms/rules-template.tsx';
import { useRead, useWrite } from '../queries.ts';
import { instructionsOf } from '../rules/instructions.ts';
import { visible } from '../rules/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { Cards } from '../ui/cards.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Name } from '../ui/name.tsx';
import { Empty } from '../ui/notice.tsx';
import { ObjectEditor } from '../ui/object-editor.tsx';
import { Panel } from '../ui/panel.tsx';
import { Time } from '../ui/time.tsx';
import { say } from '../ui/toast.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import style from './settings.module.css';

const route = getRouteApi('/inside/settings/settings/rules-templates');

export function SettingsRules() {
  const { page = 1, open, view } = route.useSearch();
  const navigate = route.useNavigate();
  const [ending, setEnding] = useState<RulesTemplate>();
  const { data: me } = useRead('get_me', {});
  const isAdmin = me?.role === 'admin';
  const list = useRead('list_rules_templates', { query: { page, per_page: 20 } });
  const openAs = (what: string | undefined, as?: string) =>
    void navigate({ search: (old) => ({ ...old, open: what, view: as }) });
  const opened = list.data?.items.find(({ id }) => id === open);
  const close = () => openAs(undefined);
  return (
    <>
      <Toolbar
        actions={
          isAdmin && (
            <Button look="primary" icon="plus" onClick={() => openAs('new')}>
              Rules template
            </Button>
          )
        }
      >
        <p className="muted">
          A recipe may name one. Its rules are copied to a customer without any, when an agent is deployed.
        </p>
      </Toolbar>
      <Cards
        of={list}
        onPage={(to) => void navigate({ search: (old) => ({ ...old, page: to }) })}
        empty={
          <Empty
            action={isAdmin && <Button onClick={() => openAs('new')}>Write the first</Button>}
            command="agentctl rules-templates apply --file rules.yaml"
          >
            There is no template, so a new customer begins without rules.
          </Empty>
        }
        card={(each) => (
          <Template of={each} actions={isAdmin && <Acts of={each} onOpen={openAs} onEnd={setEnding} />} />
        )}
      />
      {isAdmin && (open === 'new' || (opened && view !== 'json')) && (
        <RulesTemplateForm of={opened} onClose={close} />
      )}
      {isAdmin && opened && view === 'json' && <AsJson of={opened} onClose={close} />}
      {ending && <Deletion of={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

interface ActsProps {
  of: RulesTemplate;
  onOpen: (id: string, as?: string) => void;
  onEnd: (template: RulesTemplate) => void;
}

const Acts = ({ of, onOpen, onEnd }: ActsProps) => (
  <Menu label={`Actions for ${visible(of.name)}`}>
    <MenuItem onSelect={() => onOpen(of.id)}>Change…</MenuItem>
    <MenuItem onSelect={() => onOpen(of.id, 'json')}>Change as JSON…</MenuItem>
    <MenuItem bad onSelect={() => onEnd(of)}>
      Delete…
    </MenuItem>
  </Menu>
);

function Template({ of: { name, rules, updated_at }, actions }: { of: RulesTemplate; actions: ReactNode }) {
  const sentences = instructionsOf(rules) ?? [];
  const others = Object.keys(rules).filter((key) => key !== 'instructions' || sentences.length === 0);
  return (
    <Panel title={<Name of={name} />} aside={actions}>
      {sentences.length > 0 && (
        <ol className={style.sentences}>
          {sentences.map((text, at) => (
            // Sentences have no other identity than their place.
            <li key={`${at}-${text}`} className="said">
              {visible(text)}
            </li>
          ))}
        </ol>
      )}
      <p className={`hint ${style.foot}`}>
        {others.length > 0 && `Besides: ${others.map((key) => `“${visible(key)}”`).join(', ')}. `}
        {sentences.length === 0 && others.length === 0 && 'It has no rule yet. '}
        Changed <Time at={updated_at} as="when" />
      </p>
    </Panel>
  );
}

function AsJson({ of: { id, name, rules }, onClose }: { of: RulesTemplate; onClose: () => void }) {
  const update = useWrite('update_rules_template');
  return (
    <Dialog title={`${visible(name)} as JSON`} onClose={onClose} wide>
      <ObjectEditor
        label="Rules"
        of={rules}
        onSave={async (object) => {
          await update.run({ path: { rules_template_id: id }, body: { rules: object } });
          say('The template is saved.');
          onClose();
        }}
      />
    </Dialog>
  );
}

function Deletion({ of: { id, name }, onClose }: { of: RulesTemplate; onClose: () => void }) {
  const remove = useWrite('delete_rules_template', { done: () => say('The template is deleted.') });
  return (
    <Confirm
      title={`Delete ${visible(name)}?`}
      action="Delete the template"
      run={() => remove.run({ path: { rules_template_id: id } })}
      onClose={onClose}
    >
      Customers who have a copy of its rules keep it. A recipe that still names it cannot be deployed until it
      names another.
    </Confirm>
  );
}

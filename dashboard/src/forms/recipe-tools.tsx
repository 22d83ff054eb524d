import { isObject, type JsonObject } from '../rules/recipe-patch.ts';
import { Button } from '../ui/button.tsx';
import field from '../ui/field.module.css';
import { FormGroup } from '../ui/form-row.tsx';
import type { Draft } from './recipe-draft.ts';
import { RecipeElements } from './recipe-elements.tsx';
import style from './recipe-form.module.css';
import { setElement, textOf } from './recipe-lists.ts';

/** MCP servers whose tools the agent may use. */
export const RecipeTools = ({ draft }: { draft: Draft }) => (
  <FormGroup name="mcp_servers" label="Tools" hint="MCP servers" changed={draft.isChanged('mcp_servers')}>
    <Servers draft={draft} />
  </FormGroup>
);

const SERVERS = 'mcp_servers';

const Servers = ({ draft }: { draft: Draft }) => (
  <RecipeElements draft={draft} path={[SERVERS]} add="Add a server" added={{ name: '', url: '' }}>
    {(server, at) => <Server draft={draft} at={at} server={isObject(server) ? server : {}} />}
  </RecipeElements>
);

const SERVER_INPUTS = [
  ['name', 'Name', 'crm'],
  ['provider', 'Credential of the connection', 'no credential'],
  ['url', 'Address', 'https://crm.example/mcp'],
] as const;

function Server({ draft, at, server }: { draft: Draft; at: number; server: JsonObject }) {
  const nth = `of server ${at + 1}`;
  return (
    <div className={style.server}>
      {SERVER_INPUTS.map(([key, label, placeholder]) => (
        <input
          key={key}
          className={`${field.input} mono`}
          name={`${SERVERS}.${at}.${key}`}
          aria-label={`${label} ${nth}`}
          placeholder={placeholder}
          value={textOf(server[key])}
          onChange={({ target }) =>
            setElement(draft, SERVERS, at, {
              ...server,
              [key]: key === 'provider' && target.value === '' ? undefined : target.value,
            })
          }
        />
      ))}
      <Button
        look="plain"
        small
        icon="close"
        aria-label={`Remove server ${at + 1}`}
        onClick={() => setElement(draft, SERVERS, at, undefined)}
      />
    </div>
  );
}

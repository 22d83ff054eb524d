import type { ConnectionUpdate } from '@agent-control-plane/sdk';
import { useState } from 'react';
import { credentialFields } from '../rules/providers.ts';
import { Button } from '../ui/button.tsx';
import { AreaField, Pair, TextField } from '../ui/field.tsx';
import { textOf } from '../ui/form.tsx';

const CREDENTIAL = 'credentials.';
const OWN_NAME = 'own-name.';
const OWN_VALUE = 'own-value.';

/** Typed unseen, kept encrypted, and never shown again. */
export function CredentialFields({ provider, required }: { provider: string; required: boolean }) {
  const fields = credentialFields(provider);
  if (!fields) return <OwnFields required={required} />;
  return fields.map(({ name, label, isSecret }) => (
    <TextField
      key={name}
      name={CREDENTIAL + name}
      label={label}
      type={isSecret ? 'password' : 'text'}
      autoComplete={isSecret ? 'new-password' : 'off'}
      mono
      required={required}
    />
  ));
}

function OwnFields({ required }: { required: boolean }) {
  const [rows, setRows] = useState([0]);
  return (
    <>
      {rows.map((row) => (
        <Pair key={row}>
          <TextField
            name={`${OWN_NAME}${row}`}
            label="Name of the credential"
            placeholder="token"
            mono
            required={required && row === 0}
          />
          <TextField
            name={`${OWN_VALUE}${row}`}
            label="Its value"
            type="password"
            autoComplete="new-password"
            mono
            required={required && row === 0}
          />
        </Pair>
      ))}
      <div>
        <Button small icon="plus" onClick={() => setRows([...rows, rows.length])}>
          Another value
        </Button>
      </div>
    </>
  );
}

/** Undefined where nothing was typed: what is stored stays. */
export function credentialsOf(values: FormData): Record<string, string> | undefined {
  const known = [...values.keys()]
    .filter((name) => name.startsWith(CREDENTIAL))
    .map((name) => [name.slice(CREDENTIAL.length), textOf(values, name)] as const);
  const own = [...values.keys()]
    .filter((name) => name.startsWith(OWN_NAME))
    .map((name) => [textOf(values, name).trim(), textOf(values, name.replace(OWN_NAME, OWN_VALUE))] as const);
  const typed = [...known, ...own].filter(([name, value]) => name !== '' && value !== '');
  return typed.length > 0 ? Object.fromEntries(typed) : undefined;
}

/** The reader's own clock: when a token ends is nobody's shift. */
export const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

export const HostsField = ({ of }: { of?: ConnectionUpdate | undefined }) => (
  <AreaField
    name="allowed_hosts"
    label="Hosts of tool servers that get the credentials"
    optional
    mono
    rows={2}
    hint="One a line, as mcp.example.com. Without one, no tool server gets them."
    defaultValue={of?.allowed_hosts?.join('\n') ?? ''}
  />
);

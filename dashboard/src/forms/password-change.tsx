import { change_my_password as facts } from '@agent-control-plane/fields';
import { useState } from 'react';
import { useWrite } from '../queries.ts';
import { boundsOf } from '../rules/bounds.ts';
import { Button } from '../ui/button.tsx';
import { FormFoot, TextField } from '../ui/field.tsx';
import { Form, textOf } from '../ui/form.tsx';
import { say } from '../ui/toast.tsx';

/** A key that changes empties the form. */
export function PasswordForm({ email }: { email: string }) {
  const [saved, setSaved] = useState(0);
  const change = useWrite('change_my_password');
  const save = async (values: FormData) => {
    const current_password = textOf(values, 'current_password');
    await change.run({
      body: {
        new_password: textOf(values, 'new_password'),
        ...(current_password && { current_password }),
      },
    });
    say('The password is changed, and all your other sessions have ended.');
    setSaved(saved + 1);
  };
  return (
    <Form key={saved} onSave={save} label="Password">
      {(pending) => (
        <>
          {/* For the browser’s list of passwords. */}
          <input type="hidden" name="username" autoComplete="username" value={email} />
          <TextField
            name="current_password"
            label="Password of now"
            type="password"
            autoComplete="current-password"
            hint="Not needed within an hour of a sign-in by a one-time link"
            {...boundsOf(facts.current_password)}
          />
          <TextField
            name="new_password"
            label="New password"
            type="password"
            autoComplete="new-password"
            hint="12 characters or more"
            {...boundsOf(facts.new_password)}
          />
          <FormFoot>
            <Button type="submit" look="primary" pending={pending}>
              Change the password
            </Button>
          </FormFoot>
        </>
      )}
    </Form>
  );
}

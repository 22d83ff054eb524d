import { create_customer as facts } from '@agent-control-plane/fields';
import type { CustomerCreate, CustomerDetail } from '@agent-control-plane/sdk';
import { boundsOf } from '../rules/bounds.ts';
import { zones } from '../rules/zone.ts';
import { type Choice, Pair, SelectField, TextField } from '../ui/field.tsx';
import { textOf, textOrNull } from '../ui/form.tsx';

/** The reader's own zone is the best guess at a new customer's. */
const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

function zoneChoices(zone: string): Choice[] {
  const known = zones();
  return (known.includes(zone) ? known : [zone, ...known]).map((each) => [each, each.replaceAll('_', ' ')]);
}

export function CustomerFields({ of }: { of?: CustomerDetail }) {
  const zone = of?.timezone ?? HERE;
  return (
    <>
      <TextField
        name="company_name"
        label="Name"
        optional
        hint="What you call the customer."
        defaultValue={of?.company_name ?? ''}
        {...boundsOf(facts.company_name)}
      />
      <TextField
        name="email"
        label="E-mail"
        type="email"
        hint="No two customers have the same."
        defaultValue={of?.email ?? ''}
        {...boundsOf(facts.email)}
      />
      <SelectField
        name="timezone"
        label="Time zone"
        hint="Shifts, timesheets and business hours are in it."
        defaultValue={zone}
        choices={zoneChoices(zone)}
      />
      <Pair>
        <TextField
          name="country_code"
          label="Country"
          optional
          hint="Two letters, as AU."
          defaultValue={of?.country_code ?? ''}
          maxLength={2}
        />
        <TextField
          name="currency"
          label="Currency"
          optional
          hint="Three letters, as AUD."
          defaultValue={of?.currency ?? ''}
          maxLength={3}
        />
      </Pair>
      <TextField
        name="locale"
        label="Language"
        optional
        hint="As en-AU."
        defaultValue={of?.locale ?? ''}
        {...boundsOf(facts.locale)}
      />
    </>
  );
}

export const customerOf = (values: FormData): CustomerCreate => ({
  email: textOf(values, 'email').trim(),
  company_name: textOrNull(values, 'company_name'),
  timezone: textOrNull(values, 'timezone'),
  country_code: textOrNull(values, 'country_code')?.toUpperCase() ?? null,
  currency: textOrNull(values, 'currency')?.toUpperCase() ?? null,
  locale: textOrNull(values, 'locale'),
});

import { create_customer_staff as facts, update_customer_staff } from '@agent-control-plane/fields';
import type { StaffRecord, StaffRole, StaffStatus } from '@agent-control-plane/sdk';
import { useWrite } from '../queries.ts';
import { boundsOf } from '../rules/bounds.ts';
import { changed } from '../rules/changes.ts';
import { itemsOf } from '../rules/lists.ts';
import { visible } from '../rules/visible-text.ts';
import { sentence } from '../rules/words.ts';
import { AreaField, Pair, SelectField, TextField } from '../ui/field.tsx';
import { textOf, textOrNull } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { say } from '../ui/toast.tsx';
import { ProofRows, useProofs } from './proof-rows.tsx';

const ROLES: readonly StaffRole[] = facts.role.choices;
export const STAFF_STATUSES: readonly StaffStatus[] = update_customer_staff.status.choices;

interface Props {
  customer_id: string;
  /** Without one, a new one is made. */
  of?: StaffRecord | undefined;
  onClose: () => void;
}

const personOf = (values: FormData) => ({
  name: textOf(values, 'name').trim(),
  email: textOrNull(values, 'email'),
  phone: textOrNull(values, 'phone'),
  role: ROLES.find((each) => each === textOf(values, 'role')) ?? null,
  skills: itemsOf(textOf(values, 'skills')),
  tier: Number(textOf(values, 'tier') || 1),
  availability_notes: textOrNull(values, 'availability_notes'),
  external_id: textOrNull(values, 'external_id'),
});

export function PersonForm({ customer_id, of, onClose }: Props) {
  const create = useWrite('create_customer_staff');
  const update = useWrite('update_customer_staff');
  const certifications = useProofs('type', of?.certifications ?? []);
  const inductions = useProofs('site', of?.inductions ?? []);
  const save = async (values: FormData) => {
    const body = {
      ...personOf(values),
      certifications: certifications.value(),
      inductions: inductions.value(),
    };
    if (of) {
      const status = STAFF_STATUSES.find((each) => each === textOf(values, 'status')) ?? of.status;
      await update.run({
        path: { customer_id, person_id: of.id },
        body: changed(of, { ...body, status }),
      });
    } else await create.run({ path: { customer_id }, body });
    say(of ? 'The person is changed.' : `${visible(body.name)} is on the staff.`);
    onClose();
  };
  return (
    <FormDialog
      title={of ? `Change ${visible(of.name)}` : 'Add a person'}
      action={of ? 'Save' : 'Add the person'}
      onSave={save}
      onClose={onClose}
    >
      <PersonFields of={of} />
      <ProofRows field="certifications" title="Certificates" one="certificate" of={certifications} />
      <ProofRows field="inductions" title="Introduced to" one="site" of={inductions} />
      <AreaField
        name="availability_notes"
        label="When they can work"
        optional
        rows={2}
        defaultValue={of?.availability_notes ?? ''}
        {...boundsOf(facts.availability_notes)}
      />
      <TextField
        name="external_id"
        label="Id in your own system"
        optional
        mono
        hint="An import changes the person with this id."
        defaultValue={of?.external_id ?? ''}
        {...boundsOf(facts.external_id)}
      />
    </FormDialog>
  );
}

const PersonFields = ({ of }: { of: StaffRecord | undefined }) => (
  <>
    <TextField name="name" label="Name" defaultValue={of?.name ?? ''} {...boundsOf(facts.name)} />
    <Pair>
      <SelectField
        name="role"
        label="Role"
        defaultValue={of?.role ?? 'employee'}
        choices={ROLES.map((each) => [each, sentence(each)])}
      />
      {of ? (
        <SelectField
          name="status"
          label="State"
          defaultValue={of.status}
          choices={STAFF_STATUSES.map((each) => [each, sentence(each)])}
        />
      ) : (
        <Tier of={of} />
      )}
    </Pair>
    <Pair>
      <TextField
        name="phone"
        label="Phone"
        type="tel"
        optional
        defaultValue={of?.phone ?? ''}
        {...boundsOf(facts.phone)}
      />
      <TextField
        name="email"
        label="E-mail"
        type="email"
        optional
        defaultValue={of?.email ?? ''}
        {...boundsOf(facts.email)}
      />
    </Pair>
    {of && <Tier of={of} />}
    <TextField
      name="skills"
      label="Skills"
      optional
      placeholder="forklift, first aid"
      hint="Agents find people by them. Commas stand between them."
      defaultValue={of?.skills.join(', ') ?? ''}
    />
  </>
);

const Tier = ({ of }: { of: StaffRecord | undefined }) => (
  <TextField
    name="tier"
    label="Tier"
    type="number"
    hint="A grade of your own, 1 to 5."
    defaultValue={of?.tier ?? 1}
    {...boundsOf(facts.tier)}
  />
);

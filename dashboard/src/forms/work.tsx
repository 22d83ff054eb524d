import { create_shift as facts } from '@agent-control-plane/fields';
import type { Assignment, Shift } from '@agent-control-plane/sdk';
import { useState } from 'react';
import { useRead, useWrite } from '../queries.ts';
import { boundsOf } from '../rules/bounds.ts';
import { changed } from '../rules/changes.ts';
import { visible } from '../rules/visible-text.ts';
import { dayIn, momentOf, placeOf, wallIn } from '../rules/zone.ts';
import { Combobox, type Option } from '../ui/combobox.tsx';
import { Pair, TextField } from '../ui/field.tsx';
import { textOf, textOrNull } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';

type Work = Shift | Assignment;

const DAY_MS = 86_400_000;

interface Props {
  customer_id: string;
  zone: string;
  /** A new one's. */
  person?: Option | undefined;
  onClose: () => void;
}

/** A time that nobody touched goes back as it is stored, with its seconds. */
const timeOf = (values: FormData, name: string, zone: string, stored: string | null | undefined) => {
  const wall = textOf(values, name);
  if (stored && wallIn(zone, stored) === wall) return stored;
  return wall === '' ? null : momentOf(zone, wall);
};

const workOf = (values: FormData, zone: string, of: Work | undefined) => ({
  person_id: textOf(values, 'person_id'),
  starts_at: timeOf(values, 'starts_at', zone, of?.starts_at),
  ends_at: timeOf(values, 'ends_at', zone, of?.ends_at),
  title: textOrNull(values, 'title'),
  site: textOrNull(values, 'site'),
  job_id: textOrNull(values, 'job_id'),
  status: textOrNull(values, 'status'),
});

export function ShiftForm({ customer_id, zone, person, of, onClose }: Props & { of?: Shift | undefined }) {
  const create = useWrite('create_shift');
  const update = useWrite('update_shift');
  const save = async (values: FormData) => {
    const { starts_at, ends_at, ...rest } = workOf(values, zone, of);
    // The fields are required, so there are times.
    const body = { ...rest, starts_at: starts_at ?? '', ends_at: ends_at ?? '' };
    if (of) await update.run({ path: { customer_id, shift_id: of.id }, body: changed(of, body) });
    else await create.run({ path: { customer_id }, body });
    onClose();
  };
  return (
    <FormDialog
      title={of ? 'Change the shift' : 'Add a shift'}
      action={of ? 'Save' : 'Add the shift'}
      onSave={save}
      onClose={onClose}
    >
      <WorkFields customer_id={customer_id} zone={zone} of={of} person={person} isTimed />
    </FormDialog>
  );
}

export function AssignmentForm({
  customer_id,
  zone,
  person,
  of,
  onClose,
}: Props & { of?: Assignment | undefined }) {
  const create = useWrite('create_assignment');
  const update = useWrite('update_assignment');
  const save = async (values: FormData) => {
    const body = workOf(values, zone, of);
    if (of) await update.run({ path: { customer_id, assignment_id: of.id }, body: changed(of, body) });
    else await create.run({ path: { customer_id }, body });
    onClose();
  };
  return (
    <FormDialog
      title={of ? 'Change the assignment' : 'Add an assignment'}
      action={of ? 'Save' : 'Add the assignment'}
      onSave={save}
      onClose={onClose}
    >
      <WorkFields customer_id={customer_id} zone={zone} of={of} person={person} isTimed={false} />
    </FormDialog>
  );
}

interface FieldsProps {
  customer_id: string;
  zone: string;
  of: Work | undefined;
  person: Option | undefined;
  isTimed: boolean;
}

function WorkFields({ customer_id, zone, of, person, isTimed }: FieldsProps) {
  const tomorrow = dayIn(zone, Date.now() + DAY_MS);
  const first = (clock: string) => (of || !isTimed ? '' : `${tomorrow}T${clock}`);
  const shown = (time: string | null | undefined, clock: string) =>
    time ? wallIn(zone, time) : first(clock);
  return (
    <>
      <PersonField
        customer_id={customer_id}
        of={of ? { id: of.person_id, name: visible(of.person_name ?? 'Erased') } : person}
      />
      <Pair>
        <TextField
          name="starts_at"
          label="Begins"
          type="datetime-local"
          required={isTimed}
          optional={!isTimed}
          defaultValue={shown(of?.starts_at, '09:00')}
          hint={`By the clocks of ${placeOf(zone)}.`}
        />
        <TextField
          name="ends_at"
          label="Ends"
          type="datetime-local"
          required={isTimed}
          optional={!isTimed}
          defaultValue={shown(of?.ends_at, '17:00')}
        />
      </Pair>
      <AboutFields of={of} />
    </>
  );
}

const AboutFields = ({ of }: { of: Work | undefined }) => (
  <>
    <TextField
      name="title"
      label="Title"
      optional
      defaultValue={of?.title ?? ''}
      {...boundsOf(facts.title)}
    />
    <Pair>
      <TextField name="site" label="Site" optional defaultValue={of?.site ?? ''} {...boundsOf(facts.site)} />
      <TextField
        name="job_id"
        label="Job"
        optional
        mono
        defaultValue={of?.job_id ?? ''}
        {...boundsOf(facts.job_id)}
      />
    </Pair>
    <TextField
      name="status"
      label="State"
      optional
      hint="In your own words, as scheduled or done."
      defaultValue={of?.status ?? ''}
      {...boundsOf(facts.status)}
    />
  </>
);

function PersonField({ customer_id, of }: { customer_id: string; of: Option | undefined }) {
  const [chosen, setChosen] = useState(of);
  const [letters, setLetters] = useState('');
  const found = useRead('list_customer_staff', {
    path: { customer_id },
    query: { per_page: 8, ...(letters && { search: letters }) },
  });
  return (
    <Combobox
      name="person_id"
      label="Person"
      options={(found.data?.staff ?? []).map(({ id, name, skills }) => ({
        id,
        name: visible(name),
        detail: visible(skills.slice(0, 3).join(', ')),
      }))}
      isStale={found.isPlaceholderData}
      chosen={chosen}
      onSearch={setLetters}
      onChoose={setChosen}
      required
    />
  );
}

import type { ReactNode } from 'react';
import { type Choice, SelectField } from '../ui/field.tsx';
import { textOf } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';

const PAUSES = {
  600: '10 minutes',
  3600: 'an hour',
  86_400: 'a day',
  604_800: 'a week',
  0: 'not at all',
} as const;
type Seconds = keyof typeof PAUSES;

interface Props {
  title: string;
  action: string;
  label: string;
  hint: string;
  /** How long the old one may go on, in seconds; the first is the usual one. */
  overlaps: readonly Seconds[];
  onSave: (overlap_seconds: number) => Promise<void>;
  onClose: () => void;
  children?: ReactNode;
}

/** Replaces a key or a secret, of which the old one goes on for a while. */
export function RotateForm({ title, action, label, hint, overlaps, onSave, onClose, children }: Props) {
  const choices = overlaps.map((each): Choice => [String(each), PAUSES[each]]);
  const save = (values: FormData) => onSave(Number(textOf(values, 'overlap_seconds')));
  return (
    <FormDialog title={title} action={action} onSave={save} onClose={onClose}>
      {children}
      <SelectField name="overlap_seconds" label={label} hint={hint} choices={choices} />
    </FormDialog>
  );
}

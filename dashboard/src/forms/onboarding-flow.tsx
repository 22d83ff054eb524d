import { create_onboarding_flow as facts } from '@agent-control-plane/fields';
import type { OnboardingFlow, OnboardingFlowCreate, OnboardingStep } from '@agent-control-plane/sdk';
import { useRef, useState } from 'react';
import { useWrite } from '../queries.ts';
import { boundsOf } from '../rules/bounds.ts';
import { visible } from '../rules/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { AreaField, TextField } from '../ui/field.tsx';
import { textOf } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { say } from '../ui/toast.tsx';
import style from './onboarding-flow.module.css';

interface Row extends OnboardingStep {
  key: number;
}

const NEW: readonly OnboardingStep[] = [{ text: '', save_as: null }];

export function OnboardingFlowForm({ of, onClose }: { of: OnboardingFlow | undefined; onClose: () => void }) {
  const create = useWrite('create_onboarding_flow');
  const update = useWrite('update_onboarding_flow');
  const initial = of?.steps ?? NEW;
  const next = useRef(initial.length);
  const [rows, setRows] = useState<readonly Row[]>(() => initial.map((step, key) => ({ ...step, key })));
  const change = (key: number, part: Partial<OnboardingStep>) =>
    setRows(rows.map((each) => (each.key === key ? { ...each, ...part } : each)));
  const save = async (values: FormData) => {
    const body: OnboardingFlowCreate = {
      name: textOf(values, 'name'),
      steps: rows.map(({ text, save_as }) => ({ text, save_as: save_as?.trim() || null })),
    };
    if (of) await update.run({ path: { onboarding_flow_id: of.id }, body });
    else await create.run({ body });
    say('The flow is saved.');
    onClose();
  };
  return (
    <FormDialog
      title={of ? `Change ${visible(of.name)}` : 'New onboarding flow'}
      action="Save the flow"
      onSave={save}
      onClose={onClose}
      wide
    >
      <TextField name="name" label="Name" defaultValue={of?.name} {...boundsOf(facts.name)} />
      {rows.map((row, at) => (
        <Step
          key={row.key}
          of={row}
          at={at}
          onChange={(part) => change(row.key, part)}
          onTakeOut={rows.length > 1 ? () => setRows(rows.filter(({ key }) => key !== row.key)) : undefined}
        />
      ))}
      <div>
        <Button
          icon="plus"
          onClick={() => setRows([...rows, { key: next.current++, text: '', save_as: null }])}
        >
          Another step
        </Button>
      </div>
    </FormDialog>
  );
}

interface StepProps {
  of: Row;
  at: number;
  onChange: (part: Partial<OnboardingStep>) => void;
  onTakeOut: (() => void) | undefined;
}

const Step = ({ of: { text, save_as }, at, onChange, onTakeOut }: StepProps) => (
  <fieldset className={style.step}>
    <legend className="vh">Step {at + 1}</legend>
    <AreaField
      name={`steps.${at}.text`}
      label={`${at + 1}. Asked or told`}
      rows={2}
      required
      maxLength={4096}
      value={text}
      onChange={({ target }) => onChange({ text: target.value })}
    />
    <TextField
      name={`steps.${at}.save_as`}
      label="Keep the reply as"
      placeholder="Not kept"
      mono
      maxLength={100}
      value={save_as ?? ''}
      onChange={({ target }) => onChange({ save_as: target.value })}
    />
    <Button
      look="plain"
      icon="trash"
      aria-label={`Take out step ${at + 1}`}
      disabled={!onTakeOut}
      title={onTakeOut ? undefined : 'A flow has a step at least'}
      onClick={onTakeOut}
    />
  </fieldset>
);

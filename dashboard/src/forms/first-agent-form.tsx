import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import style from '../pages/welcome.module.css';
import { hostnameOf, type Template } from '../rules/first-run.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Form, textOf } from '../ui/form.tsx';
import { ShapeMark } from '../ui/status.tsx';

export interface FirstChoice {
  recipe_id: string;
  company_name: string;
  hostname: string;
  with_people: boolean;
}

interface FirstAgentFormProps {
  templates: readonly Template[];
  hasModel: boolean;
  onMake: (choice: FirstChoice) => Promise<void>;
  isMade: boolean;
}

export function FirstAgentForm({ templates, hasModel, onMake, isMade }: FirstAgentFormProps) {
  const [chosen_id, choose] = useState<string>();
  const chosen = templates.find(({ id }) => id === chosen_id) ?? templates[0];
  const [company, setCompany] = useState('My company');
  const [hostname, setHostname] = useState<string>();
  const name = hostname ?? hostnameOf(chosen?.slug ?? 'agent', company);
  const save = (values: FormData) =>
    onMake({
      recipe_id: textOf(values, 'recipe_id'),
      company_name: company,
      hostname: name,
      with_people: values.has('with_people'),
    });
  return (
    <Form onSave={save} label="Your first agent" className="">
      {(pending) => (
        <>
          <Cards templates={templates} chosen={chosen} onChoose={choose} />
          <div className={style.pair}>
            <TextField
              name="company_name"
              label="For whom"
              value={company}
              maxLength={200}
              required
              onChange={({ target }) => setCompany(target.value)}
            />
            <TextField
              name="hostname"
              label="Its name"
              value={name}
              maxLength={253}
              required
              mono
              onChange={({ target }) => setHostname(target.value)}
            />
          </div>
          <label className={style.option}>
            <input type="checkbox" name="with_people" defaultChecked />
            <span>Add three people with skills, so that it has something to say</span>
          </label>
          {!hasModel && <NoModel />}
          <Go chosen={chosen} pending={pending} isMade={isMade} />
        </>
      )}
    </Form>
  );
}

interface CardsProps {
  templates: readonly Template[];
  chosen: Template | undefined;
  onChoose: (id: string) => void;
}

const Cards = ({ templates, chosen, onChoose }: CardsProps) => (
  <fieldset>
    <legend>What it is</legend>
    <div className={style.cards}>
      {templates.map((template) => (
        <Card
          key={template.id}
          template={template}
          checked={template.id === chosen?.id}
          onChoose={() => onChoose(template.id)}
        />
      ))}
    </div>
  </fieldset>
);

interface GoProps {
  chosen: Template | undefined;
  pending: boolean;
  isMade: boolean;
}

/** The one button. A template that wants something is filled in on the page of deploys. */
const Go = ({ chosen, pending, isMade }: GoProps) => (
  <div className={style.go}>
    {chosen?.wants === undefined ? (
      <>
        <Button type="submit" look="primary" className={style.big} pending={pending} disabled={isMade}>
          {isMade ? 'Deployed' : 'Deploy and talk'}
        </Button>
        <span className="hint">No phone number is needed. One can be connected later.</span>
      </>
    ) : (
      <>
        <ButtonLink to="/deploy" search={{ recipe: chosen.id }} look="primary" className={style.big}>
          Fill it in
        </ButtonLink>
        <span className="hint">This template {chosen.wants} before it can answer.</span>
      </>
    )}
  </div>
);

const NoModel = () => (
  <div className={style.option}>
    <ShapeMark shape="ring" tone="off" />
    <span>
      No language model yet. The built-in runtime understands commands;{' '}
      <Link to="/settings/models" className="link">
        connect a model
      </Link>{' '}
      and it talks freely.
    </span>
  </div>
);

interface CardProps {
  template: Template;
  checked: boolean;
  onChoose: () => void;
}

const Card = ({ template: { id, name, about, wants }, checked, onChoose }: CardProps) => (
  <label className={style.card}>
    <input type="radio" name="recipe_id" value={id} checked={checked} onChange={onChoose} />
    <span>
      <b>{name}</b>
      <span className="hint">{about}</span>
      {wants && <span className={`hint ${style.wants}`}>{wants}</span>}
    </span>
  </label>
);

import type { PrimitiveKind } from '@agent-control-plane/sdk';
import type { InputHTMLAttributes, TextareaHTMLAttributes } from 'react';
import { useRead } from '../queries.ts';
import { slugsOf, toggled } from '../rules/slugs.ts';
import { ChipSet } from '../ui/chips.tsx';
import { FormGroup, FormRow } from '../ui/form-row.tsx';
import type { Draft } from './recipe-draft.ts';
import style from './recipe-form.module.css';

interface At {
  draft: Draft;
  /** The value's, in the recipe. */
  path: readonly [string, ...string[]];
  label: string;
  hint?: string;
}

const textAt = ({ draft, path }: At): string => {
  const value = draft.at(...path);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

type Plain<Props> = Omit<Props, 'name' | 'value' | 'onChange' | 'id' | 'className'>;

export function TextRow({
  draft,
  path,
  label,
  hint,
  ...rest
}: At & Plain<InputHTMLAttributes<HTMLInputElement>>) {
  const change = (text: string) =>
    draft.set(path, rest.type === 'number' && text !== '' ? Number(text) : text);
  return (
    <FormRow name={path.join('.')} label={label} hint={hint} changed={draft.isChanged(...path)}>
      {(control) => (
        <input
          type="text"
          autoComplete="off"
          {...rest}
          {...control}
          value={textAt({ draft, path, label })}
          onChange={({ target }) => change(target.value)}
        />
      )}
    </FormRow>
  );
}

const SHORT = 2;

export const AreaRow = ({
  draft,
  path,
  label,
  hint,
  ...rest
}: At & Plain<TextareaHTMLAttributes<HTMLTextAreaElement>>) => (
  <FormRow name={path.join('.')} label={label} hint={hint} changed={draft.isChanged(...path)}>
    {(control) => (
      <textarea
        rows={3}
        {...rest}
        {...control}
        className={`${control.className} ${rest.rows === SHORT ? style.short : ''}`}
        value={textAt({ draft, path, label })}
        onChange={({ target }) => draft.set(path, target.value)}
      />
    )}
  </FormRow>
);

interface ChipsRowProps {
  draft: Draft;
  field: string;
  kind: PrimitiveKind;
  label: string;
  hint: string;
}

/** Slugs: those of the runtime and of the tenant, and what the recipe has besides. */
export function ChipsRow({ draft, field, kind, label, hint }: ChipsRowProps) {
  const offered = useOffered(draft, kind);
  const chosen = slugsOf(draft.at(field));
  const all = [...new Set([...offered, ...chosen])];
  return (
    <FormGroup name={field} label={label} hint={hint} changed={draft.isChanged(field)}>
      <ChipSet
        label={label}
        of={all.map((slug) => [slug, slug] as const)}
        chosen={chosen}
        onToggle={(slug) => draft.set([field], toggled(draft.at(field), slug))}
      />
    </FormGroup>
  );
}

const BUILT_IN = 'reference';

/** Skills of the runtime of the recipe, then those that the tenant has approved besides. */
export function useOffered(draft: Draft, kind: PrimitiveKind): readonly string[] {
  const { data: manifests } = useRead('list_manifests', { query: { per_page: 100 } });
  const { data: primitives } = useRead('list_primitives', { query: { per_page: 100 } });
  const wanted = draft.at('manifest_id') ?? BUILT_IN;
  const manifest =
    manifests?.items.find(({ id }) => id === wanted) ?? manifests?.items.find(({ id }) => id === BUILT_IN);
  const { skills = [], channels = [] } = manifest?.capabilities ?? {};
  const able: Partial<Record<PrimitiveKind, readonly string[]>> = { skill: skills, channel: channels };
  const approved = primitives?.items.filter((each) => each.kind === kind).map(({ slug }) => slug) ?? [];
  return [...(able[kind] ?? []), ...approved];
}

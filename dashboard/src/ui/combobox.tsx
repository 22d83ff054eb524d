import { useCombobox } from 'downshift';
import style from './combobox.module.css';
import field from './field.module.css';
import { useFault } from './form.tsx';

export interface Option {
  id: string;
  name: string;
  detail?: string | undefined;
}

interface ComboboxProps {
  name: string;
  label: string;
  hint?: string;
  /** Those that fit the letters; the caller looks them up. */
  options: readonly Option[];
  /** The options still belong to older letters: none can be chosen. */
  isStale?: boolean;
  chosen?: Option | undefined;
  onSearch: (letters: string) => void;
  onChoose: (option: Option | undefined) => void;
  required?: boolean;
  /** Its label stands in the field: above a list, not in a form. */
  inside?: boolean;
}

/** One of many rows, found by its letters. The form gets the chosen id under `name`. */
export function Combobox({
  name,
  label,
  hint,
  options,
  isStale = false,
  chosen,
  onSearch,
  onChoose,
  required,
  inside = false,
}: ComboboxProps) {
  const shown = isStale ? [] : options;
  const fault = useFault(name);
  const { getInputProps, getItemProps, getLabelProps, getMenuProps, highlightedIndex, isOpen, openMenu } =
    useCombobox<Option>({
      items: [...shown],
      selectedItem: chosen ?? null,
      itemToString: (item) => item?.name ?? '',
      itemToKey: (item) => item?.id,
      onInputValueChange: ({ inputValue, type }) => {
        if (type === useCombobox.stateChangeTypes.InputChange) {
          onSearch(inputValue);
          if (inputValue === '') onChoose(undefined);
        }
      },
      onSelectedItemChange: ({ selectedItem }) => onChoose(selectedItem ?? undefined),
    });
  return (
    <div className={inside ? style.inside : field.field}>
      <label className={inside ? 'vh' : field.label} {...getLabelProps()}>
        {label}
      </label>
      <div className={style.box}>
        <input type="hidden" name={name} value={chosen?.id ?? ''} />
        <input
          className={field.input}
          required={required}
          placeholder={inside ? label : undefined}
          aria-invalid={fault !== undefined || undefined}
          {...getInputProps({ onFocus: openMenu })}
        />
        <ul className={`${style.list} ${isOpen ? '' : style.closed}`} {...getMenuProps()}>
          {isOpen &&
            shown.map((item, index) => (
              <li
                key={item.id}
                className={style.item}
                {...getItemProps({ item, index, 'aria-selected': index === highlightedIndex })}
              >
                <Words of={item} />
              </li>
            ))}
        </ul>
      </div>
      <Below fault={fault} hint={hint} />
    </div>
  );
}

const Words = ({ of: { name, detail } }: { of: Option }) => (
  <>
    <span className="one">{name}</span>
    <span className="hint one">{detail}</span>
  </>
);

const Below = ({ fault, hint }: { fault: string | undefined; hint: string | undefined }) =>
  fault !== undefined ? <p className={field.fault}>{fault}</p> : hint && <p className="hint">{hint}</p>;

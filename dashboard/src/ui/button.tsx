import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, Ref } from 'react';
import style from './button.module.css';
import { Icon, type IconName } from './icon.tsx';

interface Look {
  /** One primary button a page. */
  look?: 'primary' | 'plain' | 'bad' | undefined;
  small?: boolean | undefined;
  icon?: IconName | undefined;
}

const classOf = ({ look, small }: Look, isSquare: boolean, more?: string) =>
  [style.button, look && style[look], small && style.small, isSquare && style.square, more]
    .filter(Boolean)
    .join(' ');

type ButtonProps = Look &
  ButtonHTMLAttributes<HTMLButtonElement> & { pending?: boolean; ref?: Ref<HTMLButtonElement> };

/** While its work is under way it stays where it is and does nothing. */
export function Button({ look, small, icon, pending = false, className, children, ...rest }: ButtonProps) {
  const isSquare = children === undefined;
  return (
    <button
      type="button"
      {...rest}
      className={classOf({ look, small }, isSquare, className)}
      aria-busy={pending || undefined}
      disabled={rest.disabled || pending}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

type AnchorProps = Look & AnchorHTMLAttributes<HTMLAnchorElement> & { ref?: Ref<HTMLAnchorElement> };

const ButtonAnchor = ({ look, small, icon, className, children, ...rest }: AnchorProps) => (
  <a {...rest} className={classOf({ look, small }, children === undefined, className)}>
    {icon && <Icon name={icon} />}
    {children}
  </a>
);

export const ButtonLink = createLink(ButtonAnchor);

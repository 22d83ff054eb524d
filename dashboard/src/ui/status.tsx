import type { ReactNode } from 'react';
import { type Shape, type Sign, type Subject, signOf, type Tone } from '../rules/status.ts';
import style from './status.module.css';

const SHAPES: Record<Shape, ReactNode> = {
  disc: <circle cx="6" cy="6" r="4" fill="currentColor" />,
  arc: (
    <path d="M10 6a4 4 0 1 1-4-4" fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />
  ),
  triangle: <path d="M6 1.3 11.2 10.5H.8z" fill="currentColor" />,
  diamond: <path d="M6 .8 11.2 6 6 11.2.8 6z" fill="currentColor" />,
  square: <rect x="2.3" y="2.3" width="7.4" height="7.4" rx="1" fill="currentColor" />,
  ring: <circle cx="6" cy="6" r="3.6" fill="none" stroke="currentColor" strokeWidth="1.6" />,
  check: (
    <path
      d="m1.8 6.3 2.7 2.7 5.7-6"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ),
};

export function ShapeMark({ shape, tone, size = 12 }: { shape: Shape; tone?: Tone; size?: number }) {
  const classes = [style.shape, tone === 'wait' ? style.wait : tone, shape === 'arc' && style.turning];
  return (
    <svg
      viewBox="0 0 12 12"
      className={classes.filter(Boolean).join(' ')}
      width={size}
      height={size}
      aria-hidden="true"
    >
      {SHAPES[shape]}
    </svg>
  );
}

/** A word and its shape. Without a colour it still says everything. */
export const Signed = ({ sign, children }: { sign: Sign; children?: ReactNode }) => (
  <span className={style.status}>
    <ShapeMark shape={sign.shape} tone={sign.tone} />
    <span className={sign.tone === 'bad' || sign.tone === 'wait' ? sign.tone : undefined}>
      {children ?? sign.word}
    </span>
  </span>
);

export const Status = ({ of, is }: { of: Subject; is: string }) => <Signed sign={signOf(of, is)} />;

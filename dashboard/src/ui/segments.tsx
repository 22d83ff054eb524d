import style from './segments.module.css';

interface SegmentsProps {
  total: number;
  done: number;
  label: string;
  /** The bar of a page, not of a row. */
  wide?: boolean;
}

/** How far some work is, a piece a step; the one under way is blue. */
export const Segments = ({ total, done, label, wide = false }: SegmentsProps) => (
  <span
    className={`${style.segments} ${wide ? style.wide : ''}`}
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={total}
    aria-valuenow={done}
  >
    {Array.from({ length: total }, (_, at) => (
      // Pieces have no other identity than their place.
      <i key={`${at} of ${total}`} className={at < done ? style.done : at === done ? style.now : undefined} />
    ))}
  </span>
);

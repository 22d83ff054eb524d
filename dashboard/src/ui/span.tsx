import style from './span.module.css';

interface SpanProps {
  from: number;
  to: number;
  /** The whole, in the same unit. */
  of: number;
  tone: 'first' | 'second' | 'quiet' | 'bad';
}

/** A bar where something happened within a whole; the words beside it say how long. */
export const Span = ({ from, to, of, tone }: SpanProps) => (
  <span className={style.whole} aria-hidden="true">
    <i
      className={style[tone]}
      style={{
        insetInlineStart: `${(from / of) * 100}%`,
        inlineSize: `max(2px, ${((to - from) / of) * 100}%)`,
      }}
    />
  </span>
);

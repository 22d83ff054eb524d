import style from './chart.module.css';
import { useWidth } from './width.ts';

export interface Bar {
  label: string;
  /** Below the bar, where there is room for it; by default the label. */
  short?: string;
  /** By series, in the order of `series`. */
  values: readonly number[];
}

interface BarsProps {
  bars: readonly Bar[];
  series: readonly string[];
  label: string;
  format: (value: number) => string;
  /** The last bar that has begun; a line stands behind it. */
  now?: number | undefined;
}

const HEIGHT = { wide: 196, narrow: 132 };
const NARROW = 560;
/** Room for a letter, between two labels, and for what stands below. */
const LETTER = 6.8;
const BETWEEN = 28;
const BOTTOM = 24;
const SHARES = [0, 0.25, 0.5, 0.75, 1];
const SERIES = [style.s0, style.s1, style.s2, style.s3, style.s4];

/** Stacked bars. The same figures stand in a table on the page, so the picture is one image to a screen reader. */
export function Bars({ bars, series, label, format, now }: BarsProps) {
  const [figure, width] = useWidth<HTMLElement>(960);
  const height = width < NARROW ? HEIGHT.narrow : HEIGHT.wide;
  const most = niceCeiling(Math.max(0, ...bars.map(({ values }) => values.reduce((a, b) => a + b, 0))));
  const scale = SHARES.map((share) => ({ share, words: format(most * share) }));
  const left = Math.max(...scale.map(({ words }) => words.length)) * LETTER + 10;
  const step = (width - left) / Math.max(1, bars.length);
  const letters = Math.max(0, ...bars.map(({ label: words, short = words }) => short.length));
  const every = Math.ceil((bars.length * (letters * LETTER + BETWEEN)) / Math.max(1, width - left));
  return (
    <figure ref={figure}>
      <svg
        className={style.chart}
        viewBox={`0 -8 ${width} ${height + BOTTOM + 8}`}
        role="img"
        aria-label={label}
      >
        {scale.map(({ share, words }) => (
          <g key={share}>
            <line x1={left} x2={width} y1={height * (1 - share)} y2={height * (1 - share)} />
            <text x={left - 10} y={height * (1 - share) + 4} textAnchor="end">
              {words}
            </text>
          </g>
        ))}
        {bars.map((bar, at) => (
          <g key={bar.label}>
            <title>{titleOf(bar, series, format)}</title>
            {/* Also where a bar is low, the pointer finds it. */}
            <rect x={left + at * step} y={0} width={step} height={height} fill="transparent" />
            <Stack {...{ bar, series, height }} x={left + at * step} step={step} scale={height / most} />
            {at % every === 0 && (
              <text x={left + (at + 0.5) * step} y={height + 18} textAnchor="middle">
                {bar.short ?? bar.label}
              </text>
            )}
          </g>
        ))}
        {now !== undefined && now >= 0 && now < bars.length - 1 && (
          <line
            className={style.now}
            x1={left + (now + 1) * step}
            x2={left + (now + 1) * step}
            y1={0}
            y2={height}
          />
        )}
      </svg>
      {series.length > 1 && <Keys names={series} />}
    </figure>
  );
}

interface StackProps {
  bar: Bar;
  series: readonly string[];
  x: number;
  step: number;
  height: number;
  /** Pixels of one unit. */
  scale: number;
}

const Stack = ({ bar: { values }, series, x, step, height, scale }: StackProps) => {
  const width = Math.min(step * 0.76, 56);
  return stacked(values).map(({ from, value }, at) => (
    <rect
      key={series[at]}
      className={SERIES[at % SERIES.length]}
      x={x + (step - width) / 2}
      width={width}
      y={height - (from + value) * scale}
      // A hair of the page between two parts, where they are wide enough for one.
      height={Math.max(0, value * scale - (from > 0 && width > 4 ? 1 : 0))}
      rx="1"
    />
  ));
};

const Keys = ({ names }: { names: readonly string[] }) => (
  <ul className={style.keys}>
    {names.map((name, at) => (
      <li key={name}>
        <i className={SERIES[at % SERIES.length]} />
        <bdi>{name}</bdi>
      </li>
    ))}
  </ul>
);

const titleOf = ({ label, values }: Bar, series: readonly string[], format: (value: number) => string) => {
  const parts = values.flatMap((value, at) => (value > 0 ? `${series[at]} ${format(value)}` : []));
  return `${label}: ${parts.join(', ') || 'nothing'}`;
};

function stacked(values: readonly number[]) {
  let from = 0;
  return values.map((value) => {
    const part = { from, value };
    from += value;
    return part;
  });
}

/** A number whose quarters are round, too. */
function niceCeiling(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 6, 8, 10].map((factor) => factor * power).find((ceiling) => ceiling >= value) ?? value;
}

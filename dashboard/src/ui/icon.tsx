/** Line drawings of 16 by 16. */
const PATHS = {
  overview: 'M2.5 11.5a5.5 5.5 0 0 1 11 0M8 11.5l2.8-3.4',
  inbox: 'M2.5 3.5h11v7.2H8l-3 2.6v-2.6H2.5z',
  approvals: 'M8 1.8 13 3.7v4.1c0 3-2.1 5.2-5 6.4-2.9-1.2-5-3.4-5-6.4V3.7zM5.8 7.9l1.6 1.6 2.9-3.2',
  agents:
    'M6 4h4a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2M8 1.5V4M8 12v2.5M1.5 8H4M12 8h2.5',
  recipes: 'M4 2h5.5L12.5 5v9H4zM6.5 8H10M6.5 10.8H10',
  customers: 'M2.5 14V3H9v11M9 6.5h4.5V14M1.5 14h13M5 6h1.5M5 8.6h1.5M5 11.2h1.5',
  workforce: 'M8 2.3a5.7 5.7 0 1 1 0 11.4A5.7 5.7 0 0 1 8 2.3M8 4.8v3.4l2.3 1.4',
  channels:
    'M6.1 1.5h3.8a1.6 1.6 0 0 1 1.6 1.6v9.8a1.6 1.6 0 0 1-1.6 1.6H6.1a1.6 1.6 0 0 1-1.6-1.6V3.1a1.6 1.6 0 0 1 1.6-1.6M7.2 12.2h1.6',
  usage: 'M3 13.5v-4M6.3 13.5v-8M9.7 13.5V8M13 13.5V3',
  settings:
    'M2.5 5h5.7M11.8 5h1.7M2.5 11h1.7M7.8 11h5.7M11.7 5a1.7 1.7 0 1 1-3.4 0 1.7 1.7 0 0 1 3.4 0M7.7 11a1.7 1.7 0 1 1-3.4 0 1.7 1.7 0 0 1 3.4 0',
  operator: 'M8 1.8 14 5v6l-6 3.2L2 11V5zM2 5l6 3.2L14 5M8 8.2v6',
  find: 'M11.3 7a4.3 4.3 0 1 1-8.6 0 4.3 4.3 0 0 1 8.6 0M10.3 10.3l3.2 3.2',
  person: 'M10.6 5.3a2.6 2.6 0 1 1-5.2 0 2.6 2.6 0 0 1 5.2 0M3 13.5c.6-2.8 2.5-4.2 5-4.2s4.4 1.4 5 4.2',
  more: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  plus: 'M8 3v10M3 8h10',
  send: 'M2.5 8h10M8.5 3.8 12.7 8l-4.2 4.2',
  back: 'M10 3 5 8l5 5',
  forward: 'M6 3l5 5-5 5',
  down: 'M4 6l4 4 4-4',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  dots: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  tool: 'M3 4.5 6 7.5 3 10.5M8 11h5',
  file: 'M4 2h5.5L12.5 5v9H4z',
  download: 'M8 2.5v8M4.8 7.5 8 10.5l3.2-3M3 13.5h10',
  outside: 'M6.5 3.5h-3v9h9v-3M9.5 2.5h4v4M13.5 2.5 7.5 8.5',
  code: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  trash: 'M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.5 9h6l.5-9',
  key: 'M7.5 8.5 13.5 2.5M11.5 4.5l1.5 1.5M8 10.5a2.7 2.7 0 1 1-5.4 0 2.7 2.7 0 0 1 5.4 0',
  warning: 'M8 2.5 14.2 13.5H1.8zM8 6.5v3.2M8 11.6h.01',
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name, size = 16 }: { name: IconName; size?: number }) => (
  <svg
    viewBox="0 0 16 16"
    width={size}
    height={size}
    aria-hidden="true"
    fill="none"
    stroke="currentColor"
    strokeWidth={name === 'dots' ? 2 : 1.4}
    strokeLinecap="round"
    strokeLinejoin="round"
  >
    <path d={PATHS[name]} />
  </svg>
);

/** The product's mark: four bars of the trace, the last one a person's. */
export const Mark = ({ size = 20 }: { size?: number }) => (
  <svg viewBox="0 0 20 20" width={size} height={size} aria-hidden="true">
    <rect width="20" height="20" rx="5" fill="var(--text)" />
    <g fill="var(--surface)">
      <rect x="4" y="10.5" width="2" height="4.5" rx=".5" />
      <rect x="7.3" y="6.5" width="2" height="8.5" rx=".5" />
      <rect x="10.7" y="8.5" width="2" height="6.5" rx=".5" />
    </g>
    <rect x="14" y="5" width="2" height="10" rx=".5" fill="var(--act)" />
  </svg>
);

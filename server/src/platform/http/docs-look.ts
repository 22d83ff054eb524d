/** The mark of the pages: four bars, the last one a person's. */
export const DOCS_ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><rect width="20" height="20" rx="5" fill="#1b1e26"/>' +
  '<path d="M5 10.5V15M8.300 6.500V15M11.700 8.500V15" stroke="#fff" stroke-width="2"/>' +
  '<path d="M15 5v10" stroke="#6ea0ff" stroke-width="2"/></svg>';

/** The look of the pages (dashboard/src/styles/tokens.css), in both schemes. */
const LOOK = `
:root {
  color-scheme: light dark;
  --surface: light-dark(oklch(0.997 0.002 258), oklch(0.212 0.011 262));
  --raised: light-dark(oklch(1 0 0), oklch(0.245 0.012 262));
  --sunken: light-dark(oklch(0.955 0.006 258), oklch(0.15 0.009 262));
  --line: light-dark(oklch(0.905 0.006 258), oklch(0.3 0.012 262));
  --edge: light-dark(oklch(0.64 0.014 258), oklch(0.56 0.018 262));
  --text: light-dark(oklch(0.225 0.018 262), oklch(0.945 0.005 258));
  --muted: light-dark(oklch(0.475 0.018 260), oklch(0.735 0.014 258));
  --act: light-dark(oklch(0.505 0.19 260), oklch(0.74 0.125 255));
  --bad: light-dark(oklch(0.525 0.19 27), oklch(0.735 0.15 25));
  --sans: "Geist Variable", ui-sans-serif, system-ui, sans-serif;
  --mono: "Geist Mono Variable", ui-monospace, "SFMono-Regular", monospace;
}
html, body { background: var(--surface); }
/* Stronger than the library's own rules. */
:root:root:root body {
  .swagger-ui, .swagger-ui :not(code, pre, pre *) { font-family: var(--sans); text-shadow: none; }
  .swagger-ui { color: var(--text); font-size: 14px; line-height: 20px; }
  .swagger-ui .wrapper { max-width: 1176px; padding: 0 32px; }
  .swagger-ui :is(h1, h2, h3, h4, h5, p, li, label, td, th, table, .title, .renderedMarkdown, .parameter__name, .parameter__type,
    .response-col_status, .response-col_links, .opblock-title, .tab li, .model, .model-title, .prop-type, .prop-format,
    .opblock-summary-path, .opblock-summary-path a, .opblock-summary-description, .opblock-description-wrapper p, .scheme-container,
    .servers-title, .opblock-section-header h4, .opblock-section-header > label, .responses-inner h4, .responses-inner h5) {
    color: var(--text);
  }
  .swagger-ui :is(.parameter__type, .parameter__in, .prop-format, .opblock-tag small, .info .base-url, .response-col_links,
    .opblock-summary-description, .parameter__extension, .extension td) { color: var(--muted); }
  .swagger-ui .info .title { font: 600 20px/28px var(--sans); letter-spacing: -0.012em; }
  .swagger-ui .info .title small { background: var(--sunken); border-radius: 9px; top: 0; padding: 2px 8px; vertical-align: middle; }
  .swagger-ui .info .title small pre { background: none; padding: 0; }
  .swagger-ui .info .title small pre { color: var(--muted); font: 400 11.5px/16px var(--mono); }
  .swagger-ui .info :is(p, li) { font-size: 14px; line-height: 21px; max-width: 76ch; margin-inline: 0; }
  .swagger-ui :is(a.nostyle, .opblock-tag a) { color: inherit; }
  .swagger-ui :is(.info a, .renderedMarkdown a, .link) { color: var(--act); }
  .swagger-ui :is(code, .renderedMarkdown code, .info code) { background: var(--sunken); color: var(--text); font: 400 12.5px/18px var(--mono); }
  .swagger-ui :is(pre, .highlight-code, .microlight, .highlight-code > .microlight) {
    background: var(--sunken); color: var(--text); border-radius: 6px; font: 400 12.5px/18px var(--mono);
  }
  .swagger-ui pre *, .swagger-ui .microlight * { font-family: var(--mono); }
  .swagger-ui pre span { color: inherit !important; }
  .swagger-ui .scheme-container { background: none; box-shadow: none; margin: 0; padding: 0 0 12px; }
  .swagger-ui :is(.servers, .servers-title) { display: none; }
  .swagger-ui .opblock .opblock-section-header h4 span { color: inherit; }
  .swagger-ui .opblock .tab-header .tab-item.active h4 span::after { background: var(--act); height: 2px; }
  .swagger-ui .opblock-tag { font: 600 14px/20px var(--sans); padding: 10px 0; border-bottom: 1px solid var(--line); margin: 0; }
  .swagger-ui .opblock-tag:hover { background: none; }
  .swagger-ui .opblock-tag small { font-size: 13px; }
  .swagger-ui .opblock { border: 1px solid var(--line); border-radius: 10px; background: var(--surface); box-shadow: none; margin: 0 0 8px; overflow: clip; }
  .swagger-ui .opblock .opblock-summary { border-color: var(--line); padding: 6px 12px; }
  .swagger-ui .opblock .opblock-summary:hover { background: color-mix(in oklab, var(--text) 2.5%, transparent); }
  .swagger-ui .opblock .opblock-summary-method {
    background: none; color: var(--act); font: 500 12.5px/18px var(--mono); text-align: start; min-width: 64px; padding: 0;
  }
  .swagger-ui .opblock.opblock-get .opblock-summary-method { color: var(--muted); }
  .swagger-ui .opblock.opblock-delete .opblock-summary-method { color: var(--bad); }
  .swagger-ui .opblock .opblock-summary-path, .swagger-ui .opblock .opblock-summary-path * { font: 500 12.5px/18px var(--mono); }
  .swagger-ui .opblock .opblock-section-header { background: none; box-shadow: none; border-bottom: 1px solid var(--line); min-height: 0; }
  .swagger-ui .opblock .opblock-section-header h4 { font: 600 13px/18px var(--sans); }
  .swagger-ui :is(.parameters-col_description, .response-col_description) .renderedMarkdown p { font-size: 13px; margin: 0 0 4px; }
  .swagger-ui :is(table thead tr td, table thead tr th, .responses-table thead td) { color: var(--muted); border-color: var(--line); font-weight: 450; }
  .swagger-ui .parameter__name.required::after, .swagger-ui .parameter__name.required span { color: var(--bad); }
  .swagger-ui :is(input[type], textarea, select) {
    background: var(--raised); color: var(--text); border: 1px solid var(--edge); border-radius: 6px; box-shadow: none;
  }
  .swagger-ui .btn { background: var(--raised); color: var(--text); border: 1px solid var(--line); border-radius: 6px; box-shadow: none; font-weight: 500; }
  .swagger-ui .btn:hover { border-color: var(--edge); box-shadow: none; }
  .swagger-ui .btn.execute { background: var(--act); border-color: transparent; color: light-dark(#fff, oklch(0.17 0.03 260)); }
  .swagger-ui .btn.authorize { color: var(--text); border-color: var(--line); }
  .swagger-ui .btn.cancel { color: var(--bad); border-color: var(--line); background: none; }
  .swagger-ui :is(.btn.authorize svg, .expand-operation svg, .opblock-control-arrow svg, .authorization__btn svg, .model-toggle::after, .arrow) { fill: var(--muted); }
  .swagger-ui :is(.btn, .opblock-summary, .opblock-tag, .authorization__btn) svg { fill: var(--muted); }
  .swagger-ui .tab li button.tablinks { color: inherit; }
  .swagger-ui .dialog-ux .backdrop-ux { background: oklch(0 0 0 / 0.45); }
  .swagger-ui .dialog-ux .modal-ux { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; box-shadow: none; }
  .swagger-ui .dialog-ux .modal-ux-header { border-color: var(--line); }
  .swagger-ui section.models { border-color: var(--line); border-radius: 10px; }
  .swagger-ui section.models .model-container, .swagger-ui .model-box { background: var(--sunken); border-radius: 6px; }
  .swagger-ui :focus-visible { outline: 2px solid var(--act); outline-offset: 2px; border-radius: 4px; }
}
`;

/** For phones: rows wrap, tables become lists, and code scrolls in its box. */
const PHONE = `
html { overflow-x: hidden; }
.swagger-ui .information-container { padding-top: 0; }
.swagger-ui .info { margin: 24px 0; }
.swagger-ui .opblock .opblock-summary-path,
.swagger-ui .opblock .opblock-summary-description,
.swagger-ui .renderedMarkdown code { overflow-wrap: anywhere; }
.swagger-ui input, .swagger-ui select, .swagger-ui textarea { max-width: 100%; }
.swagger-ui pre, .swagger-ui .highlight-code { max-width: 100%; overflow-x: auto; }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 12px; }
  .swagger-ui .info .title { overflow-wrap: anywhere; }
  .swagger-ui .scheme-container .schemes { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-control { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-method { min-width: 52px; }
  .swagger-ui .opblock .opblock-summary-path { max-width: calc(100vw - 150px); }
  .swagger-ui .opblock .opblock-summary-description { flex-basis: 100%; padding: 4px 10px; text-align: left; }
  .swagger-ui .opblock-tag { flex-wrap: wrap; }
  .swagger-ui .opblock-tag > a { flex: 1; }
  .swagger-ui .opblock-tag small { order: 1; flex-basis: 100%; padding: 0; }
  .swagger-ui .opblock-section-header { flex-wrap: wrap; padding: 8px 12px; }
  .swagger-ui .opblock-body .table-container, .swagger-ui .responses-inner { padding: 12px; overflow-x: auto; }
  .swagger-ui table.parameters, .swagger-ui table.parameters tbody, .swagger-ui table.parameters tr,
  .swagger-ui table.parameters td, .swagger-ui table.responses-table, .swagger-ui table.responses-table tbody,
  .swagger-ui table.responses-table tr, .swagger-ui table.responses-table td { display: block; width: auto; min-width: 0; }
  .swagger-ui table.parameters thead, .swagger-ui table.responses-table thead { display: none; }
  .swagger-ui .parameters-col_description { margin-bottom: 16px; }
  .swagger-ui .parameters-col_description input { width: 100%; }
  .swagger-ui .btn { min-height: 40px; }
  .swagger-ui .btn.authorize { display: inline-flex; align-items: center; justify-content: center; }
  .swagger-ui .btn.authorize span { padding: 4px 20px 0 0; }
  .swagger-ui .dialog-ux .modal-ux { width: calc(100vw - 24px); min-width: 0; }
}
`;

export const DOCS_CSS = LOOK + PHONE;

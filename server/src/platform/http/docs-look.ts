/** Three agents on one line. */
export const DOCS_ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f3a5f"/>' +
  '<path d="M7 16h18" stroke="#fff" stroke-width="2"/>' +
  '<g fill="#fff"><circle cx="7" cy="16" r="3"/><circle cx="16" cy="16" r="3"/><circle cx="25" cy="16" r="3"/></g></svg>';

/** For phones: rows wrap, tables become lists, and code scrolls in its box. */
export const DOCS_CSS = `
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
  .swagger-ui .info .title { font-size: 26px; overflow-wrap: anywhere; }
  .swagger-ui .scheme-container .schemes { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-control { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-method { min-width: 64px; padding: 6px 4px; font-size: 12px; }
  .swagger-ui .opblock .opblock-summary-path { max-width: calc(100vw - 150px); font-size: 14px; }
  .swagger-ui .opblock .opblock-summary-description { flex-basis: 100%; padding: 4px 10px; text-align: left; }
  .swagger-ui .opblock-tag { flex-wrap: wrap; font-size: 20px; }
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

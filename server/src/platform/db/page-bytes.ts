import { fragment } from './sql.ts';

/** Rows of some lists may have hundreds of KiB each, so a number of rows bounds nothing. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Condition of a statement that selects from a materialized CTE `page`. A page that is larger is refused as a whole. */
export const PAGE_FITS = fragment(
  `page_fits((select sum(octet_length(page::text)) from page), ${MOST_BYTES})`,
);

/** Before every id: where reading page by page begins. */
export const LEAST_UUID = '00000000-0000-0000-0000-000000000000';

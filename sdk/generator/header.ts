/** What a reader of a generated file has to know. */
export const HEADER =
  '/** Made from server/openapi.json by `npm run openapi`; changes made here are lost. */\n\n';

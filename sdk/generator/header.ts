export const HEADER =
  '/** Made from server/openapi.json by `npm run openapi`; changes made here are lost. */\n\n';

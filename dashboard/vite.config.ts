import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

/**
 * The order of the layers stands first in each file: styles that chunks share are linked before those of the first page, and
 * the order in which layers are met first is the one that counts.
 */
const layers: Plugin = {
  name: 'layers',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'asset' && file.fileName.endsWith('.css'))
        file.source = `@layer base,ui,page;${Buffer.from(file.source).toString()}`;
  },
};

/** The pages are served by the service itself, see server/src/dashboard. */
export default defineConfig({
  root: import.meta.dirname,
  resolve: {
    alias: {
      '@agent-control-plane/sdk/files': fileURLToPath(new URL('../sdk/src/files/index.ts', import.meta.url)),
      '@agent-control-plane/sdk': fileURLToPath(new URL('../sdk/src/index.ts', import.meta.url)),
      '@agent-control-plane/fields': fileURLToPath(
        new URL('../sdk/src/generated/fields.ts', import.meta.url),
      ),
      'csv-parse/sync': 'csv-parse/browser/esm/sync',
    },
  },
  plugins: [layers],
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    outDir: 'dist',
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Libraries mark files 'use client', which means nothing here.
    rolldownOptions: { checks: { moduleLevelDirective: false, bundlerTimings: false, pluginTimings: false } },
  },
});

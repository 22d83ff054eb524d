// Makes the pictures of the guides, by the tests of pages: npm run pictures
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DOCS = join(import.meta.dirname, '../../docs/pictures');
const PAGES = 'dashboard/test/pages';
/** The picture of a test, and the name that the guides give it. */
const PICTURES = {
  'overview-light-1280': 'overview-light',
  'overview-dark-1280': 'overview-dark',
  'conversation-light-1280': 'conversation',
  'recipe-edit-light-1280': 'recipe',
  'first-agent-light-1280': 'first-agent',
  'first-talk-light-1280': 'first-talk',
};

const made = mkdtempSync(join(tmpdir(), 'pictures-'));
const files = ['overview', 'inbox', 'recipes', 'first-run'].map((name) => `${PAGES}/${name}.test.ts`);
const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'pages', ...files], {
  stdio: 'inherit',
  env: { ...process.env, PICTURES: made },
});
mkdirSync(DOCS, { recursive: true });
for (const [from, to] of Object.entries(PICTURES))
  copyFileSync(join(made, `${from}.png`), join(DOCS, `${to}.png`));
rmSync(made, { recursive: true });
process.exitCode = status ?? 1;

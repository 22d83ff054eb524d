import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const FILE = join(import.meta.dirname, 'hovered.ts');
const TEXT = `
import { ControlPlane } from '../src/index.ts';
const acp = new ControlPlane({ baseUrl: 'http://127.0.0.1', apiKey: process.env.ACP_KEY });
const callOptions: { signal?: AbortSignal; timeoutMs?: number } = {};
const waited = acp.instances.waitUntilRunning('id', { signal: callOptions.signal, timeoutMs: callOptions.timeoutMs });
const health = acp.operations.getHealth({ signal: callOptions.signal, timeoutMs: callOptions.timeoutMs });
const recipe = await acp.recipes.get('id');
const recipes = await acp.recipes.list();
const page = await acp.customers.list();
const made = acp.recipes.create({ name: 'Front desk' });
const called = acp.call('get_instance', { path: { instance_id: 'id' } });
for await (const event of acp.instances.events('id')) event.to;
const { status } = await acp.tasks.get('id');
export { waited, health, recipe, recipes, page, made, called, status };
`;

const options: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  allowImportingTsExtensions: true,
  types: ['node'],
};

const service = ts.createLanguageService({
  getCompilationSettings: () => options,
  getScriptFileNames: () => [FILE],
  getScriptVersion: () => '1',
  getScriptSnapshot: (path) => {
    const text = path === FILE ? TEXT : ts.sys.readFile(path);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => import.meta.dirname,
  getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
  fileExists: (path) => path === FILE || ts.sys.fileExists(path),
  readFile: (path) => (path === FILE ? TEXT : ts.sys.readFile(path)),
});

const shownOf = (words: string) =>
  ts.displayPartsToString(
    service.getQuickInfoAtPosition(FILE, TEXT.indexOf(words) + words.lastIndexOf(' ') + 1)?.displayParts,
  );

describe('an editor', () => {
  it('parses the file', () => {
    const faults = service.getSemanticDiagnostics(FILE);
    expect(faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  });

  it.each([
    ['const recipe', 'const recipe: Recipe'],
    ['const recipes', 'const recipes: ListedRecipe[]'],
    ['const page', 'const page: CustomerPage'],
    ['const made', 'const made: Promise<Recipe>'],
    ['const called', 'const called: Promise<InstanceDetail>'],
    ['(const event', 'const event: InstanceEvent'],
    ['const { status', 'const status: TaskStatus'],
  ])('shows the name of "%s"', (words, shown) => {
    expect(shownOf(words)).toBe(shown);
  });
});

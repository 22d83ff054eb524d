import { at, textOf } from './json.ts';

export function textContent(result: unknown): string {
  const content = at(result, 'content');
  const texts = Array.isArray(content) ? content.flatMap((block) => textOf(at(block, 'text')) ?? []) : [];
  return texts.join('\n');
}

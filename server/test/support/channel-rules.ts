import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A file as the channel has it. */
export interface ChannelFile {
  /** The part of the path before `/media`: files belong to a number. */
  number: string;
  type: string;
  name: string;
  bytes: Buffer;
}

const TYPES = new Set([
  'image/jpeg',
  'image/png',
  'video/mp4',
  'video/3gpp',
  'audio/aac',
  'audio/mp4',
  'audio/mpeg',
  'audio/amr',
  'audio/ogg',
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
]);

/** undefined for a form that the channel refuses. */
export async function fileIn(request: IncomingMessage): Promise<ChannelFile | undefined> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  const form = await new Response(await buffer(request), { headers }).formData();
  const [file, type] = [form.get('file'), form.get('type')];
  if (form.get('messaging_product') !== 'whatsapp' || !(file instanceof File)) return undefined;
  if (typeof type !== 'string' || !TYPES.has(type) || file.type !== type) return undefined;
  const number = (request.url ?? '').replace(/\/media$/, '');
  return { number, type, name: file.name, bytes: Buffer.from(await file.arrayBuffer()) };
}

interface Reply {
  id: string;
  title: string;
  description?: string;
}

interface Interactive {
  type: string;
  body?: { text: string };
  action: { button?: string; buttons?: { type: string; reply: Reply }[]; sections?: { rows: Reply[] }[] };
}

const FILES = ['image', 'video', 'audio', 'document'];

const isBetween = (text: string | undefined, most: number): boolean =>
  text !== undefined && text.trim() !== '' && text.length <= most;

const areOnce = (texts: readonly string[]): boolean => new Set(texts).size === texts.length;

/** Why the channel refuses a message. */
export function faultIn(body: object, files: ReadonlyMap<string, ChannelFile>): string | undefined {
  const { type, text, interactive, ...rest } = body as {
    type: string;
    text?: { body: string };
    interactive?: Interactive;
  };
  if (type === 'text') return (text?.body.length ?? 0) > 4096 ? 'text.body' : undefined;
  if (type === 'interactive') return interactive ? faultOfChoices(interactive) : 'interactive';
  if (!FILES.includes(type)) return undefined;
  const file = (rest as Record<string, { id: string; caption?: string }>)[type];
  const known = files.get(file?.id ?? '');
  if (!file || !known) return `${type}.id`;
  const family = known.type.split('/')[0] ?? '';
  if (family !== type && !(family === 'application' && type === 'document'))
    return `${type} of ${known.type}`;
  if (file.caption === undefined) return undefined;
  return type === 'audio' || file.caption.length > 1024 ? `${type}.caption` : undefined;
}

function faultOfChoices({ type, body, action }: Interactive): string | undefined {
  if (!isBetween(body?.text, 1024)) return 'body.text';
  const { button, buttons = [], sections = [] } = action;
  const rows = sections.flatMap((section) => section.rows);
  if (type === 'list' && !isBetween(button, 20)) return 'action.button';
  const choices = type === 'list' ? rows : buttons.map(({ reply }) => reply);
  const most = type === 'list' ? { choices: 10, id: 200, title: 24 } : { choices: 3, id: 256, title: 20 };
  if (choices.length === 0 || choices.length > most.choices) return 'action';
  const ids = choices.map(({ id }) => id);
  const titles = choices.map(({ title }) => title);
  if (!areOnce(ids) || !areOnce(titles)) return 'choices that repeat';
  if (!ids.every((id) => isBetween(id, most.id))) return 'id';
  if (!titles.every((title) => isBetween(title, most.title) && !title.includes('\n'))) return 'title';
  return choices.every(({ description = '' }) => description.length <= 72) ? undefined : 'description';
}

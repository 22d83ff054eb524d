import type { MessageContent } from '../conversations/message-content.ts';
import type { Media, Template } from '../conversations/messages.contract.ts';
import type { MessageButton, MessageOptions } from '../conversations/rich-answers.contract.ts';
import { fileKindOf } from '../conversations/rich-answers.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { splitText } from './split-text.ts';

/** The channel's limit on a text beside buttons, options or a file, in UTF-16 units. */
const MAX_BESIDE = 1024;

/** One message of the channel. */
export interface ChannelPart {
  /** Without the envelope that says to whom it goes. */
  body: JsonObject;
  /** A file that the channel has to have before; its id goes into the body. */
  file?: Media;
}

/**
 * The messages of the channel that one of ours becomes, in their order (contract, section 22). Empty once the content
 * was erased.
 */
export function partsOf({ text, template, buttons, options, media = [] }: MessageContent): ChannelPart[] {
  if (template) return [{ body: { type: 'template', template: templateOf(template) } }];
  const [file] = media;
  if (file) return withFile(file, text ?? '');
  if (typeof text !== 'string') return [];
  const action = options ? listOf(options) : buttons && buttonsOf(buttons);
  if (!action) return textsOf(text);
  const { before, beside } = besideOf(text);
  return [
    ...textsOf(before),
    { body: { type: 'interactive', interactive: { ...action, body: { text: beside } } } },
  ];
}

const textsOf = (text: string): ChannelPart[] =>
  text === '' ? [] : splitText(text).map((body) => ({ body: { type: 'text', text: { body } } }));

/** The end of a text stays beside what it asks for; the rest goes before. */
function besideOf(text: string): { before: string; beside: string } {
  const whole = text.toWellFormed().trimEnd();
  const beside = splitText(whole, MAX_BESIDE).at(-1) ?? '';
  return { before: whole.slice(0, whole.length - beside.length).trimEnd(), beside };
}

/** The channel cuts the lines of a title. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const buttonsOf = (buttons: readonly MessageButton[]): JsonObject => ({
  type: 'button',
  action: {
    buttons: buttons.map(({ id, title }) => ({ type: 'reply', reply: { id, title: oneLine(title) } })),
  },
});

const listOf = ({ button, items }: MessageOptions): JsonObject => ({
  type: 'list',
  action: {
    button: oneLine(button),
    sections: [
      {
        rows: items.map(({ id, title, description }) => ({
          id,
          title: oneLine(title),
          ...(description && { description: oneLine(description) }),
        })),
      },
    ],
  },
});

function withFile(file: Media, text: string): ChannelPart[] {
  const kind = fileKindOf(file.mime_type);
  // An audio has no caption.
  const { before, beside } = kind === 'audio' ? { before: text, beside: '' } : besideOf(text);
  const part = {
    ...(beside !== '' && { caption: beside }),
    ...(kind === 'document' && file.filename !== undefined && { filename: file.filename }),
  };
  return [...textsOf(before), { body: { type: kind, [kind]: part }, file }];
}

/** @param media_id the channel's id of the part's file */
export function withMediaId({ body }: ChannelPart, media_id: string): JsonObject {
  const kind = String(body.type);
  return { ...body, [kind]: { id: media_id, ...(body[kind] as JsonObject) } };
}

const templateOf = ({ name, language, parameters }: Template): JsonObject => ({
  name,
  language: { code: language },
  ...(parameters.length > 0 && {
    components: [{ type: 'body', parameters: parameters.map((text) => ({ type: 'text', text })) }],
  }),
});

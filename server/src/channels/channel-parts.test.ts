import { describe, expect, it } from 'vitest';
import { partsOf, withMediaId } from './channel-parts.ts';

const buttons = [
  { id: 'yes', title: 'Yes' },
  { id: 'no', title: 'No,\nthanks' },
];
const options = {
  button: 'Choose',
  items: [
    { id: 'a', title: 'Pier 4', description: 'From 7 to 15' },
    { id: 'b', title: 'Pier 5' },
  ],
};
const sentence = `${'word '.repeat(99)}end. `;
const long = `${sentence.repeat(12)}Which one?`;
const file = (mime_type: string, filename?: string) => ({
  id: '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a17',
  mime_type,
  size: 9,
  ...(filename !== undefined && { filename }),
});

const bodies = (content: Parameters<typeof partsOf>[0]) => partsOf(content).map(({ body }) => body);

describe('an answer in the channel', () => {
  it('has its buttons below its text', () => {
    expect(bodies({ text: 'Shall I?', buttons })).toEqual([
      {
        type: 'interactive',
        interactive: {
          type: 'button',
          body: { text: 'Shall I?' },
          action: {
            buttons: [
              { type: 'reply', reply: { id: 'yes', title: 'Yes' } },
              { type: 'reply', reply: { id: 'no', title: 'No, thanks' } },
            ],
          },
        },
      },
    ]);
  });

  it('has its options in a list', () => {
    expect(bodies({ text: 'Which one?', options })).toEqual([
      {
        type: 'interactive',
        interactive: {
          type: 'list',
          body: { text: 'Which one?' },
          action: {
            button: 'Choose',
            sections: [
              {
                rows: [
                  { id: 'a', title: 'Pier 4', description: 'From 7 to 15' },
                  { id: 'b', title: 'Pier 5' },
                ],
              },
            ],
          },
        },
      },
    ]);
  });

  it('has the end of a long text beside its buttons, and the rest before', () => {
    const parts = bodies({ text: long, buttons }) as {
      type: string;
      text?: { body: string };
      interactive?: { body: { text: string } };
    }[];
    expect(parts.map(({ type }) => type)).toEqual(['text', 'text', 'interactive']);
    const texts = parts.map(({ text, interactive }) => text?.body ?? interactive?.body.text ?? '');
    expect(texts.at(-1)?.length).toBeLessThanOrEqual(1024);
    expect(texts.at(-1)?.endsWith('Which one?')).toBe(true);
    expect(texts.join(' ').replaceAll(/\s+/g, ' ')).toBe(long.replaceAll(/\s+/g, ' '));
  });

  it('is a file with its caption', () => {
    const [part] = partsOf({ text: 'The plan', media: [file('application/pdf', 'plan.pdf')] });
    expect(part && withMediaId(part, '77')).toEqual({
      type: 'document',
      document: { id: '77', caption: 'The plan', filename: 'plan.pdf' },
    });
    const [alone, ...others] = partsOf({ text: null, media: [file('image/png')] });
    expect(alone && withMediaId(alone, '78')).toEqual({ type: 'image', image: { id: '78' } });
    expect(others).toEqual([]);
  });

  it('has the words of an audio as a message of their own', () => {
    expect(bodies({ text: 'Listen', media: [file('audio/ogg')] })).toEqual([
      { type: 'text', text: { body: 'Listen' } },
      { type: 'audio', audio: {} },
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { typeOfFile } from '../../src/conversations/file-types.ts';
import * as files from '../support/files.ts';

const MIB = 1024 * 1024;
const OOXML = 'application/vnd.openxmlformats-officedocument';

const large = (bytes: Buffer, length: number) => Buffer.concat([bytes, Buffer.alloc(length - bytes.length)]);

describe('the type of a file', () => {
  it.each([
    [files.png, 'image/png'],
    [files.jpeg, 'image/jpeg'],
    [files.pdf, 'application/pdf'],
    [files.mp4, 'video/mp4'],
    [files.threeGp, 'video/3gpp'],
    [files.m4a, 'audio/mp4'],
    [files.mp3, 'audio/mpeg'],
    [files.aac, 'audio/aac'],
    [files.amr, 'audio/amr'],
    [files.ogg, 'audio/ogg'],
    [files.office('docx'), `${OOXML}.wordprocessingml.document`],
    [files.office('xlsx'), `${OOXML}.spreadsheetml.sheet`],
    [files.office('pptx'), `${OOXML}.presentationml.presentation`],
  ])('is what its bytes say (%#: %s)', async (bytes, mime_type) => {
    expect(await typeOfFile(bytes)).toBe(mime_type);
  });

  it.each([
    ['SVG', files.svg],
    ['HTML', files.html],
    ['a program', files.exe],
    ['GIF', files.gif],
    ['a QuickTime film', files.mov],
    ['an archive', files.archive()],
    ['a broken archive', Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(100)])],
    ['a document with macros', files.office('docm')],
    ['a document with a part of macros', files.office('docx', { 'word/vbaProject.bin': 'x' })],
    [
      'a document with a renamed part of macros',
      files.office('docx', { 'word/a.bin': 'x' }, 'application/vnd.ms-office.vbaProject'),
    ],
    ['two documents in one', files.office('docx', {}, `${OOXML}.spreadsheetml.sheet.main+xml`)],
    ['nothing', Buffer.alloc(0)],
    ['zeros', Buffer.alloc(1000)],
  ])('is refused for %s', async (_, bytes) => {
    await expect(typeOfFile(bytes)).rejects.toMatchObject({ code: 'unsupported_media_type' });
  });

  it('has a bound of its own for pictures', async () => {
    expect(await typeOfFile(large(files.png, 5 * MIB))).toBe('image/png');
    await expect(typeOfFile(large(files.png, 5 * MIB + 1))).rejects.toMatchObject({
      code: 'payload_too_large',
    });
    expect(await typeOfFile(large(files.pdf, 16 * MIB))).toBe('application/pdf');
  });

  it('is found at once in an archive of very many entries', async () => {
    const names = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`word/${index}.xml`, '']));
    await expect(typeOfFile(files.office('docx', names))).rejects.toMatchObject({
      code: 'unsupported_media_type',
    });
  });
});

import { strToU8, zipSync } from 'fflate';

const OOXML = 'application/vnd.openxmlformats-officedocument';
const MAIN = {
  docx: `${OOXML}.wordprocessingml.document.main+xml`,
  xlsx: `${OOXML}.spreadsheetml.sheet.main+xml`,
  pptx: `${OOXML}.presentationml.presentation.main+xml`,
  docm: 'application/vnd.ms-word.document.macroEnabled.main+xml',
};

const typesOf = (main: string, ...others: string[]) =>
  `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${[
    main,
    ...others,
  ]
    .map((type, index) => `<Override PartName="/part${index}.xml" ContentType="${type}"/>`)
    .join('')}</Types>`;

const zipOf = (entries: Record<string, string>): Buffer =>
  Buffer.from(
    zipSync(Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, strToU8(text)]))),
  );

export const office = (kind: keyof typeof MAIN, others: Record<string, string> = {}, ...types: string[]) =>
  zipOf({ 'word/document.xml': '<w/>', ...others, '[Content_Types].xml': typesOf(MAIN[kind], ...types) });

export const archive = () => zipOf({ 'readme.txt': 'hello' });

export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
export const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');
export const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n');
const ftyp = (brand: string) =>
  Buffer.concat([Buffer.from('00000018', 'hex'), Buffer.from(`ftyp${brand}`), Buffer.alloc(8)]);
export const mp4 = ftyp('isom');
export const threeGp = ftyp('3gp5');
export const m4a = ftyp('M4A ');
export const mov = ftyp('qt  ');
export const mp3 = Buffer.concat([
  Buffer.from('ID3'),
  Buffer.from('0300000000000a', 'hex'),
  Buffer.alloc(10),
  Buffer.from('fffb9064', 'hex'),
  Buffer.alloc(400),
]);
export const aac = Buffer.concat([Buffer.from('fff15080', 'hex'), Buffer.alloc(64)]);
export const amr = Buffer.concat([Buffer.from('#!AMR\n'), Buffer.alloc(32)]);
export const ogg = Buffer.concat([
  Buffer.from('OggS'),
  Buffer.alloc(24),
  Buffer.from('OpusHead'),
  Buffer.alloc(32),
]);
export const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
export const html = Buffer.from('<!doctype html><script>alert(1)</script>');
export const exe = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]);
export const gif = Buffer.from('GIF89a\u0001\u0000\u0001\u0000', 'latin1');

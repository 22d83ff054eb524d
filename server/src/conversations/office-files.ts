import { unzipSync } from 'fflate';

const CONTENT_TYPES = '[Content_Types].xml';
/** The unpacked list of types is small in real documents. */
const MAX_TYPES_BYTES = 256 * 1024;
const MAX_ENTRIES = 4096;

/** By the type of the main part, which the list of types names. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml':
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml':
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml':
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};

/** Macros of any age, and controls that run code. */
const RUNS_CODE = /vbaproject|macroenabled|macrosheet|activex/i;

class NotTaken extends Error {}

/** The MIME type of a DOCX, XLSX or PPTX. undefined for other archives, damaged ones, and those with macros. */
export function officeTypeOf(bytes: Buffer): string | undefined {
  if (bytes.toString('latin1', 0, 4) !== 'PK\u0003\u0004') return undefined;
  const types = typesIn(bytes);
  if (types === undefined || RUNS_CODE.test(types)) return undefined;
  const named = Object.keys(DOCUMENTS).filter(
    (type) => types.includes(`"${type}"`) || types.includes(`'${type}'`),
  );
  const [only] = named;
  return only === undefined || named.length > 1 ? undefined : DOCUMENTS[only];
}

/** Reads the archive's list of contents, and unpacks one small entry. undefined where a name tells of macros. */
function typesIn(bytes: Buffer): string | undefined {
  let [entries, lists] = [0, 0];
  try {
    const unpacked = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        entries += 1;
        if (entries > MAX_ENTRIES || RUNS_CODE.test(name)) throw new NotTaken();
        if (name !== CONTENT_TYPES) return false;
        lists += 1;
        // Another program may read the second of two lists.
        if (lists > 1 || originalSize > MAX_TYPES_BYTES) throw new NotTaken();
        return true;
      },
    });
    const types = unpacked[CONTENT_TYPES];
    return types && Buffer.from(types).toString();
  } catch {
    return undefined;
  }
}

import { fileTypeFromBuffer } from 'file-type';
import { ServiceError } from '../platform/errors.ts';
import { officeTypeOf } from './office-files.ts';

const MIB = 1024 * 1024;
const PICTURE_BYTES = 5 * MIB;
const FILE_BYTES = 16 * MIB;
/** Signatures stand at the beginning; a parser must not walk through all that a stranger sends. */
const HEAD_BYTES = 64 * 1024;

interface FileType {
  mime_type: string;
  maxBytes: number;
}

const picture = (mime_type: string): FileType => ({ mime_type, maxBytes: PICTURE_BYTES });
const file = (mime_type: string): FileType => ({ mime_type, maxBytes: FILE_BYTES });

/** The types that the channel takes, by the detector's extension. */
const TYPES: Readonly<Record<string, FileType>> = {
  jpg: picture('image/jpeg'),
  png: picture('image/png'),
  apng: picture('image/png'),
  mp4: file('video/mp4'),
  m4v: file('video/mp4'),
  '3gp': file('video/3gpp'),
  m4a: file('audio/mp4'),
  aac: file('audio/aac'),
  mp3: file('audio/mpeg'),
  ogg: file('audio/ogg'),
  oga: file('audio/ogg'),
  opus: file('audio/ogg'),
  amr: file('audio/amr'),
  pdf: file('application/pdf'),
};

/** By the bytes alone (contract, section 22). 415 for any other type, 413 for one that is too large. */
export async function typeOfFile(bytes: Buffer): Promise<string> {
  const office = officeTypeOf(bytes);
  const type = office === undefined ? await typeOfHead(bytes) : file(office);
  if (!type) {
    throw new ServiceError(
      'unsupported_media_type',
      'The file is none of JPEG, PNG, MP4, 3GPP, AAC, MP3, OGG, AMR, PDF, DOCX, XLSX and PPTX without macros',
    );
  }
  if (bytes.length > type.maxBytes) {
    throw new ServiceError(
      'payload_too_large',
      `${type.mime_type} is taken up to ${type.maxBytes / MIB} MiB`,
    );
  }
  return type.mime_type;
}

async function typeOfHead(bytes: Buffer): Promise<FileType | undefined> {
  if (isZip(bytes)) return undefined;
  const found = await fileTypeFromBuffer(bytes.subarray(0, HEAD_BYTES)).catch(() => undefined);
  return found && Object.hasOwn(TYPES, found.ext) ? TYPES[found.ext] : undefined;
}

const isZip = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 2) === 'PK';

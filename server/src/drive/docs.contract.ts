import type { FieldDocs } from '../platform/contract/wording.ts';

export const driveDocs: FieldDocs = {
  texts: {
    content: 'The file’s content, in the encoding named beside it',
    encoding: 'How the content is written: as text, or in base64',
    file_id: 'The file’s id in the drive',
    files: 'The files that were found',
    folder_id: 'The folder that the file stands in',
    max_results: 'The largest number of files to answer',
    mime_type: 'The media type',
    modified_at: 'When the file was changed last',
    web_url: 'The file’s address in the web',
  },
  examples: {
    file_id: '1AbCdEfGhIjKlMnOpQrStUvWxYz',
    'Drive.id': '1AbCdEfGhIjKlMnOpQrStUvWxYz',
    modified_at: '2026-11-20T09:00:00.000Z',
    connection_name: null,
    'query.connection_name': 'main',
    query: 'roster',
    mime_type: 'text/plain',
    folder_id: '0AbCdEfGhIjKlMnOpQ',
    'Drive.name': 'Roster.txt',
    size: 27,
    content: 'Monday: Ana\nTuesday: Ben\n',
    encoding: 'utf-8',
    web_url: 'https://drive.google.com/file/d/1AbCdEfGhIjKlMnOpQrStUvWxYz/view',
    max_results: 20,
  },
};

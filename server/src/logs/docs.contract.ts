import type { FieldDocs } from '../platform/contract/wording.ts';

export const logsDocs: FieldDocs = {
  examples: {
    'list_instance_logs.id': 4711,
    line: '{"at":"2026-11-20T09:30:00.000Z","level":"info","event":"answered"}',
    lines: ['{"at":"2026-11-20T09:30:00.000Z","level":"info","event":"answered"}'],
    kept: 1,
    tail: 100,
  },
  bodies: {
    'list_instance_logs text/event-stream':
      'id: 4711\nevent: line\ndata: {"id":4711,"at":"2026-11-20T09:00:00.000Z","line":"listening"}\n\n',
  },
};

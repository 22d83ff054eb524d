/** pino-http's options: a line for each request with what the service says of one, and no credential in it. */
export const requestLog = {
  serializers: {
    req: ({ id, method, url }) => ({ id, method, url }),
    res: ({ statusCode }) => ({ statusCode }),
  },
};

const BLOCK = 32 * 1024;

/** pino's destination: lines are written in blocks, at the latest after 100 ms, as the service does. */
export const standardOutput = {
  dest: 1,
  sync: false,
  minLength: BLOCK,
  maxWrite: 2 * BLOCK,
  periodicFlush: 100,
};

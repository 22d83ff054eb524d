/** For a test: fails where nothing catches it, as a mistake would. */
const fail = () => {
  throw new Error('on purpose');
};
process.on('SIGUSR2', () => void Promise.resolve().then(fail));
process.on('SIGPIPE', fail);

import { Signed } from '../ui/status.tsx';

/** False: it is not chosen for new work, and what uses it goes on. */
export const Offered = ({ is }: { is: boolean }) =>
  is ? (
    <Signed sign={{ word: 'offered', shape: 'disc', tone: 'good' }} />
  ) : (
    <Signed sign={{ word: 'not for new agents', shape: 'square', tone: 'off' }} />
  );

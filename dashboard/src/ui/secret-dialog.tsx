import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { SecretOnce } from './copy.tsx';
import { Dialog, DialogFoot } from './dialog.tsx';

interface Props {
  title: ReactNode;
  secret: string;
  /** Names the secret: "the key". */
  label: string;
  /** Words on what to do with it. */
  children: ReactNode;
  onClose: () => void;
}

/** The only showing of something secret, after it was made. */
export const SecretDialog = ({ title, secret, label, children, onClose }: Props) => (
  <Dialog title={title} onClose={onClose}>
    <SecretOnce secret={secret} label={label}>
      {children}
    </SecretOnce>
    <DialogFoot>
      <Button look="primary" onClick={onClose}>
        Done
      </Button>
    </DialogFoot>
  </Dialog>
);

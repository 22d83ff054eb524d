import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog, DialogFoot } from './dialog.tsx';
import { Form } from './form.tsx';

interface FormDialogProps {
  title: ReactNode;
  /** On the button that sends it. */
  action: string;
  onSave: (values: FormData) => Promise<unknown>;
  onClose: () => void;
  wide?: boolean;
  children: ReactNode;
}

/** A form in a dialog: faults at its fields; the caller closes it. */
export const FormDialog = ({ title, action, onSave, onClose, wide = false, children }: FormDialogProps) => (
  <Dialog title={title} onClose={onClose} wide={wide}>
    <Form onSave={onSave}>
      {(pending) => (
        <>
          {children}
          <DialogFoot>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" look="primary" pending={pending}>
              {action}
            </Button>
          </DialogFoot>
        </>
      )}
    </Form>
  </Dialog>
);

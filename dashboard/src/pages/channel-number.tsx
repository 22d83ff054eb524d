import type { ChannelEndpoint } from '@agent-control-plane/sdk';
import { Link } from '@tanstack/react-router';
import type { SavedEndpoint } from '../forms/channel-endpoint.tsx';
import { useRead } from '../queries.ts';
import { agentPath } from '../rules/names.ts';
import { visible } from '../rules/visible-text.ts';
import { sentence } from '../rules/words.ts';
import { Answered } from '../ui/answered.tsx';
import { Button } from '../ui/button.tsx';
import { Copied, SecretOnce } from '../ui/copy.tsx';
import { Dialog, DialogFoot } from '../ui/dialog.tsx';
import { Name } from '../ui/name.tsx';
import { Notice } from '../ui/notice.tsx';
import { Facts } from '../ui/panel.tsx';
import { Time } from '../ui/time.tsx';
import style from './channels.module.css';

interface Props {
  of: ChannelEndpoint;
  /** As it was saved a moment ago: its token is shown this once. */
  made: SavedEndpoint | undefined;
  onEdit: () => void;
  onEnd: () => void;
  onClose: () => void;
}

/** One number: how the channel learns of this service, its state, its templates. */
export function ChannelNumber({ of, made, onEdit, onEnd, onClose }: Props) {
  return (
    <Dialog title={`Number ${visible(of.phone_number_id)}`} onClose={onClose} wide>
      {of.verified_at === null ? (
        <Notice tone="wait">
          The channel has not shown the verify token yet. Do this in its console, under Webhooks; this page
          notices when it is done.
        </Notice>
      ) : (
        <Notice tone="good">
          The channel was here <Time at={of.verified_at} as="when" /> with the right token or signature.
        </Notice>
      )}
      {made?.warnings?.map((warning) => (
        <Notice key={warning} tone="wait">
          {sentence(warning)}.
        </Notice>
      ))}
      <Steps of={of} verify_token={made?.verify_token} />
      <Facts
        of={[
          [
            'Who answers',
            <Link key="agent" to={agentPath(of.instance_id)} className="link">
              <Name of={of.hostname ?? 'The agent'} />
            </Link>,
          ],
          ['Customer', of.customer_name && <Name of={of.customer_name} />],
          [
            'Answers go by',
            of.connection_name === null
              ? 'the oldest connection that works'
              : `the connection ${visible(of.connection_name)}`,
          ],
          ['Last message', of.last_received_at ? <Time at={of.last_received_at} as="when" /> : 'none yet'],
        ]}
      />
      <Templates endpoint_id={of.id} />
      <DialogFoot>
        <Button look="bad" onClick={onEnd}>
          Delete…
        </Button>
        <Button onClick={onEdit}>Change</Button>
      </DialogFoot>
    </Dialog>
  );
}

const Steps = ({ of, verify_token }: { of: ChannelEndpoint; verify_token: string | undefined }) => (
  <ol className={style.steps}>
    <li>
      <p>The callback URL is this address:</p>
      <Copied text={of.webhook_url} label="the address" />
    </li>
    <li>
      <p>
        The verify token is {verify_token === undefined ? 'the one that you gave here.' : 'this one:'}{' '}
        {verify_token === undefined && (
          <span className="hint">It cannot be shown again. Change the number to give it another.</span>
        )}
      </p>
      {verify_token !== undefined && <SecretOnce secret={verify_token} label="the verify token" />}
    </li>
    <li>
      <p>
        Subscribe to <code className="mono">messages</code>, <code className="mono">user_preferences</code>{' '}
        and <code className="mono">user_id_update</code>; for a number that is also used on a phone,{' '}
        <code className="mono">smb_message_echoes</code> too.
      </p>
    </li>
  </ol>
);

/** Asked of the channel itself, so it may fail while all else is well. */
function Templates({ endpoint_id }: { endpoint_id: string }) {
  const templates = useRead('list_channel_templates', { path: { endpoint_id } });
  return (
    <section className={style.part} aria-label="Templates">
      <h3>Templates</h3>
      <p className="hint">
        Once free text has ended, only an approved template reaches a sender. They are made in the channel’s
        console.
      </p>
      <Answered of={templates}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="muted">The number has none.</p>
          ) : (
            <ul className={style.templates}>
              {items.map(({ name, language, status, text }) => (
                <li key={`${name} ${language}`}>
                  <p>
                    <code className="mono">{visible(name)}</code>
                    <span className="hint">{language}</span>
                    <span className={status === 'APPROVED' ? 'hint good' : 'hint wait'}>
                      {sentence(status.toLowerCase())}
                    </span>
                  </p>
                  {text !== null && <p className="said hint">{text}</p>}
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
    </section>
  );
}

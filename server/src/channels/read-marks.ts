import type { TenantQueryable } from '../platform/db/queryable.ts';
import type { Trace } from '../platform/tracing.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { openToken } from './access-token.ts';
import { findReader } from './read-marks.db.ts';
import type { SendApi } from './send-api.port.ts';

/** Beyond it messages are not marked: the channel hangs. */
const AT_ONCE = 50;

interface ReadMarkServices {
  keyring: Pick<Keyring, 'open'>;
  sendApi: SendApi;
  settings: { chatapp_api_base_url: string; replaces_runtime?: boolean };
}

/**
 * Marks messages as read in the channel and shows that an answer is being written, for the runtime that the service comes
 * with, which has no way out (contract, section 19). Other runtimes do it themselves.
 */
export class ReadMarks {
  readonly #services: ReadMarkServices;
  #underWay = 0;

  constructor(services: ReadMarkServices) {
    this.#services = services;
  }

  /** Resolves before the channel answers: a failure changes nothing. @param message_id the channel's own */
  async show(q: TenantQueryable, conversation_id: string, message_id: string, trace?: Trace): Promise<void> {
    const { keyring, sendApi, settings } = this.#services;
    if (this.#underWay >= AT_ONCE) return;
    const reader = await q.run(findReader(conversation_id, settings.replaces_runtime ?? false));
    if (!reader) return;
    const { phone_number_id, base_url, connection_id, sealed_credentials } = reader;
    const access_token = await openToken(keyring, q, connection_id, sealed_credentials);
    this.#underWay++;
    const body = {
      messaging_product: 'whatsapp',
      status: 'read',
      message_id,
      typing_indicator: { type: 'text' },
    };
    const to = { base_url: base_url ?? settings.chatapp_api_base_url, phone_number_id, access_token };
    void sendApi.send({ ...to, body, trace }).finally(() => this.#underWay--);
  }
}

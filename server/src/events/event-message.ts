import { Webhook } from 'standardwebhooks';
import type { EventFormat } from './event-endpoints.db.ts';
import { eventText } from './event-text.ts';
import type { HappenedEvent } from './events.contract.ts';

interface Message {
  headers: Record<string, string>;
  body: string;
}

interface Writing {
  /** Each signs. */
  secrets: readonly string[];
  public_url: string;
  now: Date;
}

/** Headers and body for a receiver. */
export function eventMessage(format: EventFormat, event: HappenedEvent, writing: Writing): Message {
  const body = JSON.stringify(BODIES[format](event, writing.public_url));
  const headers = { 'content-type': 'application/json', 'user-agent': 'agent-control-plane' };
  return { headers: { ...headers, ...(format === 'standard' && signatures(event.id, body, writing)) }, body };
}

function signatures(id: string, body: string, { secrets, now }: Writing): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  };
}

const BODIES: Readonly<Record<EventFormat, (event: HappenedEvent, public_url: string) => object>> = {
  standard: ({ type, at, data }) => ({ type, timestamp: at.toISOString(), data }),

  slack: (event, public_url) => {
    const { sentence, link } = eventText(event, public_url);
    return { text: `${forSlack(sentence)} <${forSlack(link)}|Open>` };
  },

  /** As the workflow "post to a channel when a webhook request is received" takes it. */
  teams: (event, public_url) => {
    const { sentence, link } = eventText(event, public_url);
    const content = {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      body: [{ type: 'TextBlock', text: sentence, wrap: true }],
      actions: [{ type: 'Action.OpenUrl', title: 'Open', url: link }],
    };
    const contentType = 'application/vnd.microsoft.card.adaptive';
    return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] };
  },
};

const forSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

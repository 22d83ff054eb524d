// Prints the events that the control plane sends: WEBHOOK_SECRET=whsec_… node event-receiver.mjs
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const seen = new Set();

async function receive(request, response) {
  try {
    const { type, data } = webhook.verify(await text(request), request.headers);
    const id = request.headers['webhook-id'];
    // An event may come twice. A real receiver keeps the ids with its own data.
    if (!seen.has(id)) console.log(type, JSON.stringify(data));
    seen.add(id);
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
}

createServer((...exchange) => void receive(...exchange)).listen(process.env.PORT ?? 8787, '127.0.0.1');

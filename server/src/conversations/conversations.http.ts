import { BOUNDS } from '../catalogue/bounds.contract.ts';
import { readsCustomers } from '../customers/customer-names.ts';
import type { Notifications } from '../platform/db/notifications.ts';
import { found } from '../platform/errors.ts';
import { streamEvents, wantsEventStream } from '../platform/http/event-stream.ts';
import { accepted, noContent, ok, route } from '../platform/http/handler.ts';
import { page, shortened } from '../platform/http/page.ts';
import { traceOf } from '../platform/http/request-trace.ts';
import { answerAsAgent, sendAsPerson } from './answers.ts';
import { listConversations } from './conversation-lists.db.ts';
import { filterOf, findBehind, readConversations } from './conversation-pages.ts';
import * as contract from './conversations.contract.ts';
import { conversationExists, deleteConversation, findConversation } from './conversations.db.ts';
import { type ConversationServices, readConversation, readMessages } from './conversations.ts';
import { followConversation } from './following.http.ts';
import * as messages from './messages.contract.ts';
import { writeInPlayground } from './playground.contract.ts';
import * as playground from './playground.ts';
import { handOverToPerson, setMode, takerOf } from './takeover.ts';

interface StreamServices extends ConversationServices {
  notifications: Notifications;
  onStopping: (listener: () => void) => () => void;
}

export const conversationRoutes = [
  route(contract.listConversations, async ({ q, actor, query }, services: ConversationServices) => {
    const behind = await findBehind(q, query.before, query.sort_by);
    const listed = listConversations(filterOf(query), query.sort_by, behind);
    const list = (limit: number, offset: number) => listed(limit + 1, offset);
    const { items, ...position } = await page(q, query, list);
    const shown = shortened(items, 'last_sealed_content', BOUNDS.page.contents_bytes);
    const rows = shown.map(({ is_shortened: _, ...row }) => row);
    const how = { per_page: query.per_page, namesCustomer: readsCustomers(actor) };
    return ok({ ...position, ...(await readConversations(services, q, rows, how)) });
  }),

  route(contract.getConversation, async ({ q, actor, params }, services: ConversationServices) => {
    const row = found('Conversation', await q.run(findConversation(params.conversation_id)));
    return ok(await readConversation(services, q, row, readsCustomers(actor)));
  }),

  route(contract.updateConversation, async ({ q, actor, params, body }, services: ConversationServices) => {
    const row = await setMode(q, params.conversation_id, takerOf(actor), body);
    return ok(await readConversation(services, q, row, readsCustomers(actor)));
  }),

  route(contract.deleteConversation, async ({ q, params }) => {
    found('Conversation', await q.run(deleteConversation(params.conversation_id)));
    return noContent();
  }),

  route(contract.listMessages, async (call, services: StreamServices) => {
    const { q, query, request, params } = call;
    const { conversation_id } = params;
    await q.run(conversationExists(conversation_id));
    if (!wantsEventStream(request.headers.accept))
      return ok(await readMessages(services, q, conversation_id, query));
    const source = followConversation(services, q, conversation_id);
    return streamEvents(call, source, services.onStopping);
  }),

  route(messages.sendMessage, async ({ q, actor, params, body, request }, services: ConversationServices) => {
    const { conversation_id } = params;
    return accepted(await sendAsPerson(services, q, conversation_id, takerOf(actor), body, traceOf(request)));
  }),

  route(messages.answerMessage, async ({ q, params, body, request }, services: ConversationServices) => {
    const { isNew, message } = await answerAsAgent(services, q, params, body, traceOf(request));
    return isNew ? accepted(message) : ok(message);
  }),

  route(messages.handOverToPerson, async ({ q, params, body }, services: ConversationServices) =>
    ok(await handOverToPerson(services, q, params, body.reason ?? null)),
  ),

  route(writeInPlayground, async ({ q, params, body }, { keyring }: ConversationServices) =>
    accepted(await playground.writeInPlayground(keyring, q, params.instance_id, body)),
  ),
];

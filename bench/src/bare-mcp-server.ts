import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';

/** The MCP library's ceiling on this machine: one tool that does nothing. */
const capabilities = { tools: {} };
const jsonSchemaValidator = new AjvJsonSchemaValidator();

const handler = createMcpHandler(() => {
  const server = new Server({ name: 'bare', version: '1.0.0' }, { capabilities, jsonSchemaValidator });
  server.setRequestHandler('tools/call', () => ({ content: [] }));
  return server;
});

const toWeb = ({ headers }: IncomingMessage) =>
  new Request('http://localhost/v1/mcp', {
    method: 'POST',
    headers: Object.entries(headers).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  });

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const answered = await handler.fetch(toWeb(request), { parsedBody: await json(request) });
  response.writeHead(answered.status, { 'content-type': 'application/json' }).end(await answered.text());
}

createServer((request, response) => {
  answer(request, response).catch((error: Error) => response.destroy(error));
}).listen(Number(process.env.PORT), '127.0.0.1');

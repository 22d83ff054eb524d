import { join } from 'node:path';
import { McpToolServers } from '../../../server/src/adapters/mcp-client/mcp-tool-servers.ts';
import { OpenAiLanguageModel } from '../../../server/src/adapters/openai-language-model.ts';
import { PAGE_PATHS } from '../../../server/src/dashboard/page-paths.ts';
import { readPages } from '../../../server/src/platform/http/pages.ts';
import { FakeLanguageModel } from '../../../server/test/support/fake-language-model.ts';
import { FakeSendApi } from '../../../server/test/support/send-api.ts';
import { startTestService, type TestService } from '../../../server/test/support/service.ts';
import { FakeToolServer } from '../../../server/test/support/tool-server.ts';

const BUILT = join(import.meta.dirname, '../../dist');

/** The service with its pages, beside the channel, the model and the tool server that its agents use. */
export interface House extends TestService {
  channel: FakeSendApi;
  model: FakeLanguageModel;
  crm: FakeToolServer;
}

let house: Promise<House> | undefined;

/** One for each process. Test files make tenants of their own. */
export function theHouse(): Promise<House> {
  house ??= build();
  return house;
}

async function build(): Promise<House> {
  const [channel, model, crm] = [new FakeSendApi(), await FakeLanguageModel.start(), new FakeToolServer()];
  const chatapp_api_base_url = await channel.start();
  await crm.start();
  const pages = await readPages(BUILT, PAGE_PATHS);
  if (!pages) throw new Error('The pages are not built: npm run build');
  const llm = { base_url: model.base_url, api_key: 'a-key', model: 'gpt-5-mini' };
  const service = await startTestService({
    pages,
    languageModel: new OpenAiLanguageModel(llm),
    toolServers: new McpToolServers({ allowedHosts: ['127.0.0.1'] }),
    settings: { chatapp_api_base_url, llm, runs_clusters: true },
  });
  return Object.assign(service, { channel, model, crm });
}

import { expect, it, onTestFinished, vi } from 'vitest';
import { ServerProcess } from '../../../test/server-process.ts';
import { expectGoodLooks, Visitor } from '../support/browser.ts';

it('leads from the printed link to the first answer in two clicks', async () => {
  const server = await ServerProcess.inNewDirectory();
  onTestFinished(() => server.remove());
  const { base_url } = await server.start();
  const printed = () => /http:\S+\/start#token=\S+\n/.exec(server.output)?.[0].trim();
  const link = await vi.waitUntil(printed, { timeout: 60_000 });
  const visitor = await Visitor.at(base_url);
  const page = await visitor.open(link.slice(base_url.length));
  const deploy = page.getByRole('button', { name: 'Deploy and talk' });
  await deploy.waitFor();
  await expectGoodLooks(visitor, page, 'first-agent');
  await deploy.click();
  await page.getByRole('button', { name: 'who can forklift' }).click();
  await page.getByText('Ana Silva').waitFor();
  await expectGoodLooks(visitor, page, 'first-talk');
  await page.getByRole('button', { name: 'talk to a human' }).click();
  await page.getByRole('link', { name: 'Answer it in the inbox' }).click();
  await page.getByRole('button', { name: /Give back/ }).waitFor();
  expect(visitor.complaints).toEqual([]);
});

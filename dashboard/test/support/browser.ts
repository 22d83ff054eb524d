import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { TestTenant } from '../../../server/test/support/service.ts';
import { PASSWORD } from '../../../server/test/support/service.ts';

export const CHROMIUM = '/usr/bin/chromium';
/** Chromium asks its maker's servers for nothing. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const WIDTHS = [1280, 390] as const;
const SCHEMES = ['light', 'dark'] as const;
const HEIGHTS = { 1280: 860, 390: 844 } as const;

let browser: Promise<Browser> | undefined;
const AXE = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const launch = (): Promise<Browser> => {
  browser ??= chromium.launch({ executablePath: CHROMIUM, args: QUIET });
  return browser;
};

/** A person's browser: its pages share a cookie. */
export class Visitor {
  readonly context: BrowserContext;
  readonly base_url: string;
  /** Errors of scripts, refusals of the content policy and messages of the console; a test ends with none. */
  readonly complaints: string[] = [];

  private constructor(context: BrowserContext, base_url: string) {
    this.context = context;
    this.base_url = base_url;
  }

  static async at(base_url: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Visitor> {
    const context = await (await launch()).newContext({
      viewport: { width: 1280, height: HEIGHTS[1280] },
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      ...options,
    });
    onTestFinished(() => context.close());
    context.setDefaultTimeout(60_000);
    return new Visitor(context, base_url);
  }

  /** Signed in as the admin of the tenant, or as whom the credentials name. */
  static async of(
    { base_url }: { base_url: string },
    { admin_email }: Pick<TestTenant, 'admin_email'>,
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<Visitor> {
    const visitor = await Visitor.at(base_url, options);
    const signed = await visitor.context.request.post(`${base_url}/auth/browser-session`, {
      headers: { 'sec-fetch-site': 'same-origin' },
      data: { email: admin_email, password: PASSWORD },
    });
    expect(signed.status(), await signed.text()).toBe(200);
    return visitor;
  }

  async open(path: string): Promise<Page> {
    const page = await this.context.newPage();
    page.on('pageerror', (error) => this.complaints.push(`error: ${error.message}`));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.complaints.push(message.text());
    });
    await page.goto(this.base_url + path);
    return page;
  }
}

/** The page has its heading and reads nothing more. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await expect.poll(() => page.locator('[aria-label="Loading"]').count()).toBe(0);
  await page.evaluate('document.fonts.ready');
}

/** No violation of WCAG 2.2 AA or of axe's best practice. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  await page.evaluate(await AXE);
  const found = (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] })`)) as {
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
  };
  const violations = found.violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`).join('\n')}`,
  );
  expect(violations, where).toEqual([]);
}

/** A script that lays out by the width does so after the browser. */
export const expectNoSidewaysScroll = (page: Page, where: string): Promise<void> =>
  expect
    .poll(() => page.evaluate('document.documentElement.scrollWidth - innerWidth'), {
      message: `${where}: scrolls sideways`,
    })
    .toBeLessThanOrEqual(0);

/** Keys that count together within a second, which two real ones may miss on a busy machine. */
export const pressTogether = (page: Page, keys: string): Promise<unknown> =>
  page.evaluate(`for (const key of ${JSON.stringify(keys)})
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))`);

/** The page in both schemes and widths: accessible, nothing scrolls sideways, no complaint. */
export async function expectGoodLooks(visitor: Visitor, page: Page, name: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHTS[width] });
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const where = `${name}, ${colorScheme}, ${width}`;
      await settled(page);
      const failures = await page.getByRole('alert').allTextContents();
      expect(failures, `${where}: shows a failure`).toEqual([]);
      await expectNoSidewaysScroll(page, where);
      if (process.env.PICTURES)
        await page.screenshot({ path: `${process.env.PICTURES}/${name}-${colorScheme}-${width}.png` });
      await expectAccessible(page, where);
    }
  }
  await page.setViewportSize({ width: 1280, height: HEIGHTS[1280] });
  expect(visitor.complaints, name).toEqual([]);
}

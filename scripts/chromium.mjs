// Starts the headless Chromium of the development packages, which reaches nothing by itself.
import chromium from '@sparticuz/chromium';
import playwright from 'playwright-core';

/** How long each step waits for what must come: a slow machine is no fault. */
const PATIENCE_MS = 300_000;

export const startChromium = async () => {
  const browser = await playwright.chromium.launch({
    executablePath: await chromium.executablePath(),
    headless: true,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    timeout: PATIENCE_MS,
  });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return browser;
};

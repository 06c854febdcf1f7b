// Starts the headless Chromium of the development packages, which reaches nothing by itself.
import chromium from '@sparticuz/chromium';
import playwright from 'playwright-core';

export const startChromium = async () =>
  playwright.chromium.launch({
    executablePath: await chromium.executablePath(),
    headless: true,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });

import { createHash } from 'node:crypto';

import type { ServiceProcess } from './service-process';

/** What a page answered: its status, and where it leads; a status of 0: the service ended before it did. */
export interface PageAnswered {
  readonly status: number;
  readonly leadsTo: string | null;
}

/** What a browser says with every form that a page of the service sends. */
const OWN_PAGE = { 'sec-fetch-site': 'same-origin', accept: 'text/html' };

/** What the form holds of a JSON file whose plan was shown. */
export const plannedJson = (content: string | Buffer): string =>
  `json:${createHash('sha256').update(content).digest('hex')}`;

/** Signs a browser in with the key, and sends a form with a file as a page of the service would. */
export const sendFile = async (
  { address, apiKey }: ServiceProcess,
  path: string,
  fields: Readonly<Record<string, string>>,
  file: { readonly name: string; readonly content: string },
): Promise<PageAnswered> => {
  const signedIn = await fetch(`${address}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: OWN_PAGE,
    body: new URLSearchParams({ key: apiKey }),
  });
  const cookie = signedIn.headers.getSetCookie().map((set) => set.split(';')[0]);
  const headers = { ...OWN_PAGE, cookie: cookie.join('; ') };
  const page = await (await fetch(`${address}/session`, { headers })).text();
  const [, token = ''] = /name="form_token" value="([^"]*)"/.exec(page) ?? [];
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...fields, form_token: token })) {
    form.append(name, value);
  }
  form.append('file', new Blob([file.content]), file.name);
  try {
    const sent = { method: 'POST', redirect: 'manual', headers, body: form } as const;
    const answer = await fetch(`${address}${path}`, sent);
    return { status: answer.status, leadsTo: answer.headers.get('location') };
  } catch (error) {
    // How undici tells of a connection that ended; its errors are of another realm than jest's.
    if ((error as { name?: unknown }).name === 'TypeError') return { status: 0, leadsTo: null };
    throw error;
  }
};

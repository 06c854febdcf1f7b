import type { RequestListener } from 'node:http';

import supertest, { type Response } from 'supertest';

/** What a browser says with every form that a page of the service sends. */
export const OWN_PAGE = { 'sec-fetch-site': 'same-origin' } as const;

const hiddenIn = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';

/**
 * A browser: it keeps the cookies that it is given, and sends them. The text of its pages has no places
 * where a name may break, since whoever reads, copies or searches sees none.
 */
export class Browser {
  readonly cookies = new Map<string, string>();

  constructor(
    private readonly app: RequestListener | string,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.kept(supertest(this.app).get(path).set(this.sent(headers)));
  }

  /** Sends a form as a page of the service would; other headers make it another page. */
  post(
    path: string,
    fields: Readonly<Record<string, string | readonly string[]>> = {},
    headers: Readonly<Record<string, string>> = OWN_PAGE,
  ): Promise<Response> {
    return this.kept(
      supertest(this.app).post(path).set(this.sent(headers)).type('form').send(fields),
    );
  }

  /** Sends a form with a file, as a page of the service would; `null`: nobody chose one. */
  upload(
    path: string,
    fields: Readonly<Record<string, string>>,
    file: { readonly name: string; readonly content: string | Buffer } | null,
    headers: Readonly<Record<string, string>> = OWN_PAGE,
  ): Promise<Response> {
    const form = supertest(this.app).post(path).set(this.sent(headers));
    for (const [name, value] of Object.entries(fields)) void form.field(name, value);
    const { name, content } = file ?? { name: '', content: '' };
    const options = { filename: name, contentType: 'application/octet-stream' };
    return this.kept(form.attach('file', Buffer.from(content), options));
  }

  signIn(key: string, fields: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.post('/sign-in', { key, ...fields });
  }

  /** The token of the forms on a page. */
  async formToken(path = '/session'): Promise<string> {
    return hiddenIn((await this.get(path)).text, 'form_token');
  }

  private sent(headers: Readonly<Record<string, string>>): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return { ...this.headers, ...headers, ...(cookie === '' ? {} : { cookie }) };
  }

  private async kept(answer: Promise<Response>): Promise<Response> {
    const response = await answer;
    const set = (response.headers['set-cookie'] ?? []) as unknown as readonly string[];
    for (const cookie of set) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    if (response.type === 'text/html') response.text = response.text.replaceAll('<wbr/>', '');
    return response;
  }
}

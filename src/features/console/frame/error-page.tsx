import type { Request } from 'express';
import type { JSX } from 'preact';

import { visible } from '../../../visible-text';
import type { FormOf, ToldFailure } from '../../../web/exchange/respond';
import { requestIdOf } from '../../../web/exchange/request-id';
import { foundFor } from '../../../web/routing/find-route';
import { showsPages } from '../../../web/routing/route';
import { address, PATHS } from './address';
import { type Content, documentOf, endOf, type Frame } from './document';
import { begunPageOf, consoleHeaders } from './send-page';

const TITLES: Readonly<Record<number, string>> = {
  400: 'The page cannot read its address',
  401: 'Sign in first',
  403: 'This page is not for you',
  404: 'There is nothing here',
  405: 'This page cannot do that',
  413: 'This is too large',
  429: 'Too much at once',
  500: 'The service failed',
  503: 'The graph does not answer now',
};

/** What a reader can do about a failure. */
const ADVICE: Readonly<Record<number, string>> = {
  404: 'It may have been removed, or have another name. Find it by its name, or look at an earlier instant.',
  413: 'Narrow the question: choose an application, a permission type or a shorter time.',
  429: 'Wait a moment, and load the page again.',
  503: 'Wait a moment, and load the page again. If a question needs too long, narrow it: choose an application, a permission type, or leave the instant out.',
};

/** The same for a form, which nobody can load again. */
const ADVICE_OF_FORMS: Readonly<Record<number, string>> = {
  429: 'Wait a moment, go back, and send the form again.',
  503: 'Wait a moment. Look at what the form was about before you send it again: it may have been done.',
};

/** The address that was asked for, without the parameters that are wrong; `null` if there are none. */
const withoutWrong = (
  { method, path, url }: Request,
  problems: ToldFailure['problems'],
): string | null => {
  const asked = new URL(url, 'http://any').searchParams;
  const wrong = problems.map(({ pointer }) => pointer.slice(1)).filter((name) => asked.has(name));
  if (method === 'POST' || wrong.length === 0) return null;
  for (const name of wrong) asked.delete(name);
  return address(
    path,
    Object.fromEntries([...asked.keys()].map((name) => [name, asked.getAll(name)])),
  );
};

const ErrorBody = ({
  told: { status, message, problems },
  requestId,
  advice,
  rightAddress,
}: {
  readonly told: ToldFailure;
  readonly requestId: string;
  readonly advice: string | undefined;
  /** Where the same page is without what is wrong in the address. */
  readonly rightAddress: string | null;
}): JSX.Element => (
  <>
    <h1>{TITLES[status] ?? 'The page cannot be shown'}</h1>
    <p>{visible(message)}</p>
    {problems.length === 0 ? null : (
      <ul>
        {problems.map(({ pointer, message: about }) => (
          <li key={pointer}>
            <code>{visible(pointer.slice(1))}</code> {visible(about)}
          </li>
        ))}
      </ul>
    )}
    {advice === undefined ? null : <p>{advice}</p>}
    {rightAddress === null ? null : (
      <p>
        <a href={rightAddress}>Show the page without it</a>
      </p>
    )}
    <p>
      <a href={PATHS.find}>Back to the first page</a>
    </p>
    <p class="quiet">Request {requestId}</p>
  </>
);

/** The errors of addresses below `/console`, as pages. */
export const consoleErrors: FormOf = (res, told) => {
  const { path } = res.req;
  const isConsole = path === PATHS.find || path.startsWith(`${PATHS.find}/`);
  if (!isConsole || !foundFor(res).ofPath.some(showsPages)) return null;
  const { status } = told;
  const advice = (res.req.method === 'POST' ? ADVICE_OF_FORMS : ADVICE)[status];
  const content: Content = {
    ...{ title: TITLES[status] ?? 'Error', moment: null },
    body: (
      <ErrorBody
        {...{ told, advice }}
        requestId={requestIdOf(res)}
        rightAddress={withoutWrong(res.req, told.problems)}
      />
    ),
  };
  const begun = begunPageOf(res);
  if (begun !== null) return { end: () => begun.end(endOf(content), status) };
  if (!res.headersSent) res.set(consoleHeaders());
  const frame: Frame = { path, places: [], aside: null, sought: '', mayFind: false };
  return { mediaType: 'text/html', status, body: documentOf(frame, content) };
};

import type { Request, Response } from 'express';
import type { JSX } from 'preact';

import { visible } from '../../../visible-text';
import type { FormOf, FailureAnswer } from '../../../web/exchange/respond';
import { visitorIfAny } from '../../../web/admission/visitor';
import { requestIdOf } from '../../../web/exchange/request-id';
import { foundFor } from '../../../web/routing/find-route';
import { errorsArePages } from '../../../web/routing/error-as-page';
import { TIMES_IN_WORDS } from '../asking/moment';
import { HiddenInputs } from '../parts/hidden-inputs';
import { address, PATHS } from './address';
import { type Content, documentOf, endOf, type Frame } from './document';
import type { Page } from './page';
import { asideOf, placesOf, readerOf } from './reader';
import { begunPageOf, consoleHeaders, whereFormsLead } from './send-page';

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

/** What a reader can do if something was not there at the instant of the page. */
const NOT_THEN =
  'It was not in the graph at this instant: it came later, or had ended by then. Look at a later or an earlier instant, or at now.';

/** What a sender of a form can do about a failure: nobody can load a form again. */
const ADVICE_OF_FORMS: Readonly<Record<number, string>> = {
  429: 'Wait a moment, go back, and send the form again.',
  503: 'Wait a moment. Look at what the form was about before you send it again: it may have been done.',
};

/** The parameters of an address that are wrong, and all others. Wrong is also an instant at which there was nothing. */
interface AskedWrongly {
  readonly wrong: readonly (readonly [name: string, value: string])[];
  readonly right: Readonly<Record<string, readonly string[]>>;
}

/** What is wrong in the address of a page; `null` if nothing is. */
const askedWrongly = (
  { method, url }: Request,
  { status, problems }: FailureAnswer,
): AskedWrongly | null => {
  const asked = new URL(url, 'http://any').searchParams;
  const names = status === 404 ? ['at'] : problems.map(({ pointer }) => pointer.slice(1));
  const wrong = [...new Set(names)].filter((name) => asked.has(name));
  if (method === 'POST' || wrong.length === 0) return null;
  const right = [...new Set(asked.keys())].filter((name) => !wrong.includes(name));
  return {
    wrong: wrong.map((name) => [name, asked.get(name) ?? '']),
    right: Object.fromEntries(right.map((name) => [name, asked.getAll(name)])),
  };
};

/** The instant in the address of a page, as the reader wrote it; empty: now. */
const momentOf = ({ url }: Request): string =>
  (new URL(url, 'http://any').searchParams.get('at') ?? '').trim();

/** The names that parameters of pages have. Somebody who made up an address may have used others. */
const PARAMETER = /^[a-z_]{1,40}$/;

/** What parameters are called where a reader writes them. */
const FIELDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    at: 'Show it as of',
    against: 'Compared with',
    since: 'From',
    until: 'To',
    q: 'Find',
    principal: 'Who',
  }),
);

/** A parameter as the page calls it where a reader writes it; else by its name. */
const Field = ({ of }: { readonly of: string }): JSX.Element => {
  const called = FIELDS.get(of);
  return called === undefined ? <code>{visible(of)}</code> : <q>{called}</q>;
};

/** The form of a page of which something is wrong, so that a reader can write it otherwise. */
const Correction = ({
  of: { wrong, right },
  path,
  isOfInstant,
}: {
  readonly of: AskedWrongly;
  /** Whether nothing was there at the instant of the page, which no problem says. */
  readonly isOfInstant: boolean;
  readonly path: string;
}): JSX.Element | null => {
  const fields = wrong.filter(([name, value]) => PARAMETER.test(name) && value !== '');
  if (fields.length === 0) return null;
  // A later page of a list is of the list as it was asked for.
  const kept = Object.entries(right).filter(([name]) => PARAMETER.test(name) && name !== 'page');
  return (
    <form class="narrow" method="get" action={path} aria-label="Write it otherwise">
      <HiddenInputs of={Object.fromEntries(kept)} />
      {fields.map(([name, value]) => (
        <label key={name}>
          {FIELDS.get(name) ?? name.replaceAll('_', ' ')}{' '}
          <input name={name} value={value} autocomplete="off" />
        </label>
      ))}
      <button>Show</button>
      {isOfInstant ? <p class="hint">For example {TIMES_IN_WORDS}.</p> : null}
    </form>
  );
};

const ErrorBody = ({
  told: { status, message, problems },
  requestId,
  advice,
  path,
  wrongly,
  mayCorrect,
  firstPage,
}: {
  readonly path: string;
  readonly wrongly: AskedWrongly | null;
  /** Whether the page has a form in which the reader can correct the address. */
  readonly mayCorrect: boolean;
  readonly told: FailureAnswer;
  readonly requestId: string;
  readonly advice: string | undefined;
  /** The first page that the reader may open. */
  readonly firstPage: string;
}): JSX.Element => (
  <>
    <h1>{TITLES[status] ?? 'The page cannot be shown'}</h1>
    <p>{visible(message)}</p>
    {problems.length === 0 ? null : (
      <ul>
        {problems.map(({ pointer, message: about }) => (
          <li key={pointer}>
            <Field of={pointer.slice(1)} /> {visible(about)}
          </li>
        ))}
      </ul>
    )}
    {advice === undefined ? null : <p>{advice}</p>}
    {mayCorrect && wrongly !== null ? (
      <Correction of={wrongly} path={path} isOfInstant={status === 404} />
    ) : null}
    {wrongly === null ? null : (
      <p>
        <a href={address(path, wrongly.right)}>
          {status === 404 ? 'Show the page as of now' : 'Show the page without it'}
        </a>
      </p>
    )}
    <p>
      <a href={firstPage}>Back to the first page</a>
    </p>
    <p class="quiet">Request {requestId}</p>
  </>
);

/** What a reader can do about a failure. */
const adviceOf = (res: Response, status: number): string | undefined => {
  const { req } = res;
  if (foundFor(res).ofPath.length === 0) return undefined;
  if (req.method === 'POST') return ADVICE_OF_FORMS[status];
  return status === 404 && momentOf(req) !== '' ? NOT_THEN : ADVICE[status];
};

/**
 * The frame of an error. Nobody looks up who asks for a path that does not exist, so it has the pages
 * that most people may open.
 */
const frameOf = (pages: readonly Page[], res: Response): Frame => {
  const visitor = visitorIfAny(res);
  const reader = visitor === undefined ? null : readerOf(res);
  return {
    path: res.req.path,
    places: placesOf(pages, reader ?? { seesAll: true, administers: false }),
    aside: visitor === undefined || whereFormsLead(res) === null ? null : asideOf(res),
    sought: '',
    mayFind: reader?.seesAll ?? false,
  };
};

/** Makes the errors of addresses below `/console` pages, with the navigation to these pages. */
export const errorsAsPages =
  (pages: readonly Page[]): FormOf =>
  (res, told) => {
    const { path } = res.req;
    const isConsole = path === PATHS.find || path.startsWith(`${PATHS.find}/`);
    if (!isConsole || !errorsArePages(res)) return null;
    const { status } = told;
    const frame = frameOf(pages, res);
    const advice = adviceOf(res, status);
    const content: Content = {
      title: TITLES[status] ?? 'Error',
      moment: null,
      body: (
        <ErrorBody
          {...{ told, advice }}
          requestId={requestIdOf(res)}
          path={path}
          wrongly={askedWrongly(res.req, told)}
          mayCorrect={visitorIfAny(res) !== undefined}
          firstPage={frame.places[0]?.href ?? PATHS.find}
        />
      ),
    };
    const begun = begunPageOf(res);
    if (begun !== null) return { end: () => begun.end(endOf(content), status) };
    if (!res.headersSent) res.set(consoleHeaders(whereFormsLead(res) ?? []));
    return { mediaType: 'text/html', status, body: documentOf(frame, content) };
  };

import * as E from 'fp-ts/Either';
import type * as TE from 'fp-ts/TaskEither';

import type { Context } from '../../../context';
import type { Round } from '../../../background';
import type { Failure } from '../../../problem';
import { accessMemoryOf, interfaceOf } from '../../../questions/contract';
import { endpoints as questions } from '../../../questions/endpoints';
import { ask } from '../asking/ask';
import type { Parameters } from '../frame/address';
import type { Page, Reader } from '../frame/page';
import { offeredInstants } from '../overview/offered-instants';
import { readSources } from '../overview/overview';
import { PLAIN } from '../parts/own-handles';
import { UTC } from '../words/time-zone';

/** The reader as whom the service opens pages in the background. Nobody sees what they show. */
const NOBODY: Reader = {
  person: null,
  role: 'administrator',
  seesAll: true,
  administers: true,
  seesEvents: true,
  formToken: '',
  zone: UTC,
  handles: PLAIN,
};

/** What pages are opened about; empty: the graph has none. */
interface Examples {
  readonly principal: string;
  readonly resource: string;
  /** Pages of applications ask more than those of other resources. */
  readonly application: string;
  readonly source: string;
}

/** The first of a list of the interface; empty if there is none, or nobody answers. */
const firstOf = async (
  asked: TE.TaskEither<
    Failure,
    { readonly answer: { readonly values: readonly { readonly id: string }[] } }
  >,
): Promise<string> => {
  const found = await asked();
  return E.isRight(found) ? (found.right.answer.values[0]?.id ?? '') : '';
};

const named = (context: Context, label: string): Promise<string> =>
  firstOf(
    ask(
      interfaceOf(context).entities.search,
      { endpoint: questions.search },
      { label, order_by: 'name', page_size: 1 },
    ),
  );

const having = (context: Context, about: Parameters): Promise<string> =>
  firstOf(
    ask(
      interfaceOf(context).access.list,
      { endpoint: questions.access },
      { ...about, page_size: 1 },
    ),
  );

/** Somebody and something that they reach, if anybody reaches anything in the first application. */
const examplesOf = async (context: Context): Promise<Examples> => {
  const sources = await readSources(context, { most: 1, administers: true })();
  const application = await named(context, 'Application');
  const who =
    application === '' ? '' : await having(context, { resource: application, contents: 'true' });
  const principal = who === '' ? await named(context, 'IdpUser') : who;
  return {
    principal,
    resource: who === '' ? application : await having(context, { principal }),
    application,
    source: E.isRight(sources) ? (sources.right[0]?.source.id ?? '') : '',
  };
};

/** An address of a page: the id in its path, and its parameters. */
interface Opening {
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
}

/** A text that nothing has in its name, and questions about it. */
const SOUGHT = 'no name is like this';

/** What a page with an id is opened about: nothing, such as pages of a review, or what the graph has. */
const idsOf = (
  path: string,
  { principal, resource, application, source }: Examples,
): readonly string[] => {
  const ids = (): readonly string[] => {
    if (path.includes('/people/')) return [principal];
    if (path.includes('/resources/')) return [resource, application];
    return path.includes('/sources/') ? [source] : [];
  };
  return [...new Set(ids())].filter((id) => id !== '');
};

/** How a page is opened: plainly, about an instant, and with a text to find. */
const openingsOf = (
  { path, query: { required, optional } }: Page,
  examples: Examples,
): readonly Opening[] => {
  // A page without an id has no use for one.
  const ids = path.includes(':id') ? idsOf(path, examples) : [''];
  const needed = Object.fromEntries(
    Object.keys(required).map((name) => [
      name,
      name === 'principal' ? examples.principal : examples.resource,
    ]),
  );
  if (Object.values(needed).includes('')) return [];
  // What the graph has now may be younger than any earlier instant.
  const at = new Date().toISOString();
  const further = { at: [at], q: [SOUGHT, `what can ${SOUGHT} do`, `who can read ${SOUGHT}`] };
  const queries = [
    needed,
    ...Object.entries(further).flatMap(([name, values]) =>
      name in optional ? values.map((value) => ({ ...needed, [name]: value })) : [],
    ),
  ];
  return ids.flatMap((id) => queries.map((query) => ({ id, query })));
};

/**
 * Opens each page once in the background after the start, so that Neo4j has planned what the first
 * question of each kind needs before somebody asks it. Pages only read. One that fails is left to who
 * opens it, and so is one about something that the graph does not have.
 */
export const firstOpenings = (pages: readonly Page[], context: Context): Round => {
  let isDone = false;
  return async (isStopping) => {
    if (isDone) return;
    isDone = true;
    await accessMemoryOf(context).loaded();
    if (isStopping()) return;
    const examples = await examplesOf(context);
    // The frame of a page with an instant offers some.
    await offeredInstants(context, UTC)();
    for (const page of pages) {
      for (const { id, query } of openingsOf(page, examples)) {
        if (isStopping()) return;
        await page.show({ context, id, query, reader: NOBODY })();
      }
    }
  };
};

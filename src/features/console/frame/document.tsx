import type { ComponentChildren, JSX, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

import { ASSETS } from '../assets/assets';
import { visible } from '../../../visible-text';
import { PATHS } from './address';
import { UTC } from '../words/time-zone';
import { withinBudget } from '../rendering/budget';
import type { Moment } from './page';
import { MomentBar, type OfferedInstant } from './moment-bar';

/** A place of the navigation. */
export interface Place {
  readonly name: string;
  readonly href: string;
  readonly key: string;
}

/** What surrounds the content of a page. */
export interface Frame {
  readonly places: readonly Place[];
  /** The address of the page, to mark its place in the navigation. */
  readonly path: string;
  /** What the frame shows at its end, such as who has signed in. */
  readonly aside: ComponentChildren;
  /** What the box of the frame holds. */
  readonly sought: string;
  readonly mayFind: boolean;
}

/** What a page has to show. */
export interface Content {
  readonly title: string;
  readonly moment: Moment | null;
  /** The instants that the fields of the moment offer. */
  readonly offered?: readonly OfferedInstant[];
  readonly body: VNode;
  /** The time zone in which it writes times; UTC if unset. */
  readonly zone?: string;
}

const Navigation = ({ places, path, sought, mayFind, aside }: Frame): JSX.Element => (
  <header class="top">
    <a class="home" href={PATHS.find}>
      Grantgraph
    </a>
    <nav aria-label="Pages">
      <ul>
        {places.map(({ name, href, key }) => (
          <li key={href}>
            <a href={href} data-key={key} aria-current={href === path ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
    {mayFind && path !== PATHS.find ? (
      <form role="search" action={PATHS.find} method="get" class="seek">
        <input
          type="search"
          name="q"
          data-suggest={PATHS.suggestions}
          aria-label="Find somebody or something"
          placeholder="Find"
          value={sought}
        />
      </form>
    ) : null}
    <div class="reader">{aside}</div>
  </header>
);

const Head = ({ title }: { readonly title: string | null }): JSX.Element => (
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    {title === null ? null : <Title of={title} />}
    <link rel="icon" href={ASSETS.icon} />
    <link rel="stylesheet" href={ASSETS.styleSheet} />
    <script type="module" src={ASSETS.script} />
  </head>
);

const Title = ({ of }: { readonly of: string }): JSX.Element => (
  <title>{`${visible(of)} · Grantgraph`}</title>
);

const upToNavigation = (frame: Frame, title: string | null): string =>
  `<!doctype html>\n<html lang="en">${renderToString(<Head title={title} />)}<body>${renderToString(
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Navigation {...frame} />
    </>,
  )}`;

/** What a page says of entries that its budget has no room for. */
const LeftOut = ({ of }: { readonly of: number }): JSX.Element => (
  <p class="note warn" role="status">
    This page would be too large, so it leaves out {of === 1 ? 'one entry' : `${of} entries`} of its
    tables and lists. A narrower question shows them. So does the file with all rows, or the request
    at the end of the page, where the page has these.
  </p>
);

const afterNavigation = (
  { moment, offered = [], body, zone = UTC }: Omit<Content, 'title'>,
  title: string | null,
): string => {
  const { html, leftOut } = withinBudget(() => renderToString(body));
  return [
    renderToString(
      <>
        {title === null ? null : <Title of={title} />}
        {moment === null ? null : <MomentBar of={moment} {...{ offered, zone }} />}
      </>,
    ),
    `<main id="content" tabindex="-1">`,
    leftOut === 0 ? '' : renderToString(<LeftOut of={leftOut} />),
    html,
    '</main>',
    renderToString(
      <footer>
        <p class="zone">
          {zone === UTC
            ? 'Times and days are those of UTC.'
            : `Times and days are those of ${zone}.`}{' '}
          The title of a time has it exactly, in UTC.
        </p>
        <p class="keys">
          Keys:{' '}
          <span class="finding">
            <kbd>/</kbd> find,{' '}
          </span>
          <kbd>j</kbd> <kbd>k</kbd> next and previous row, <kbd>g</kbd> and the first letter of a
          page opens it.
        </p>
      </footer>,
    ),
    '</body></html>',
  ].join('');
};

/**
 * A complete page. `preact-render-to-string` escapes all text, so a name cannot become markup.
 */
export const documentOf = (frame: Frame, { title, ...content }: Content): string =>
  upToNavigation(frame, title) + afterNavigation(content, null);

/** The beginning of a page whose answer is not there yet. It says so, until `endOf` follows. */
export const beginningOf = (frame: Frame): string =>
  upToNavigation(frame, null) +
  renderToString(
    <p class="waiting" role="status">
      The service reads the graph …
    </p>,
  );

/** The rest of a page that has begun. Browsers take a title from the body too. */
export const endOf = ({ title, ...content }: Content): string => afterNavigation(content, title);

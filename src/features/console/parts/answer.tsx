import type { ComponentChildren, JSX } from 'preact';

/** The answer of a page in one sentence, above everything else, and what more a reader must know. */
export const Answer = ({
  children,
  more,
}: {
  readonly children: ComponentChildren;
  readonly more?: ComponentChildren;
}): JSX.Element => (
  <>
    <p class="answer" role="status">
      {children}
    </p>
    {more === undefined || more === null || more === false ? null : <p class="more">{more}</p>}
  </>
);

/** A table with what is next to it on a wide screen, and below it on a narrow one. */
export const Beside = ({
  children,
  aside,
}: {
  readonly children: ComponentChildren;
  readonly aside: ComponentChildren;
}): JSX.Element => (
  <div class="beside">
    <div>{children}</div>
    <aside aria-label="About it">{aside}</aside>
  </div>
);

/** One of several views of a page. */
export interface View {
  readonly name: string;
  readonly href: string;
  readonly isShown: boolean;
  /** How much is there. */
  readonly count?: number;
}

/** The views of a page, as links. */
export const ViewLinks = ({ of }: { readonly of: readonly View[] }): JSX.Element => (
  <nav class="views" aria-label="Views">
    {of.map(({ name, href, isShown, count }) => (
      <a key={name} href={href} aria-current={isShown ? 'page' : undefined}>
        {name}
        {count === undefined ? null : <span class="count"> {count.toLocaleString('en')}</span>}
      </a>
    ))}
  </nav>
);

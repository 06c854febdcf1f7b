import type { JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';

import { grouped } from '../../../model/grouped';
import { visible } from '../../../visible-text';
import type { Parameters } from '../frame/address';
import { useAddresses } from '../frame/reading';
import { kindOf } from '../frame/kinds';
import { type Box, BOX, type Line, type PathMap, textAtLine } from './layout';

/** The widths of maps that fit into windows of the style sheet; no window shows all of a wider one. */
export const WIDTHS = [725, 825, 925, 1_025, 1_125, 1_225, 1_325, 1_425];

/** The class of what a page says of a map that is wider than its window. */
const widthClass = (width: number): string => {
  const fits = WIDTHS.find((each) => width <= each);
  return fits === undefined ? 'wide' : `w${fits}`;
};

/** How many letters of a name a box, a list of names, and a line show. The page of it has all. */
const LETTERS = { box: 20, listed: 40, line: 80 } as const;

const cut = (text: string, most: number = LETTERS.box): string => {
  const letters = Array.from(visible(text));
  return letters.length <= most ? letters.join('') : `${letters.slice(0, most - 1).join('')}…`;
};

const MOST_NAMES = 30;

const namesOf = ({ stops }: Box): string => {
  const [first] = stops;
  if (first !== undefined && stops.length === 1) {
    return visible(first.provider ? `${first.name} from ${first.provider}` : first.name);
  }
  const names = stops.slice(0, MOST_NAMES).map(({ name }) => cut(name, LETTERS.listed));
  const more = stops.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
};

/** An end of a line in words. */
const endOf = ({ stops }: Box): string => {
  const [first, ...others] = stops;
  const name = cut(first?.name ?? '', LETTERS.line);
  return others.length === 0 ? name : `${name} and ${others.length} like it`;
};

const titleOf = ({ stops }: Pick<Box, 'stops'>): string => {
  const [first] = stops;
  if (first === undefined) return '';
  return stops.length === 1 ? cut(first.name) : `${stops.length} like ${cut(first.name)}`;
};

/** How a box looks: boxes of several providers may look alike. */
const lookOf = ({ stops }: Box): string => JSON.stringify([stops[0]?.label, titleOf({ stops })]);

const providerOf = ({ stops: [first] }: Box): string => first?.provider ?? '';

/** The looks that boxes of several providers have. */
const confusable = (boxes: readonly Box[]): ReadonlySet<string> =>
  new Set(
    [...grouped(boxes, lookOf)].flatMap(([look, alike]) =>
      new Set(alike.map(providerOf)).size > 1 ? [look] : [],
    ),
  );

/** What is below the title of a box: its kind, or its provider if another one looks alike. */
const underTitle = (box: Box, alike: ReadonlySet<string>): string => {
  const provider = providerOf(box);
  return provider !== '' && alike.has(lookOf(box))
    ? cut(`from ${provider}`, LETTERS.box)
    : kindOf(box.stops[0]?.label ?? '');
};

const BoxOf = ({
  of,
  state,
  keeping,
  alike,
}: {
  readonly of: Box;
  /** How boxes look that others look like. */
  readonly alike: ReadonlySet<string>;
  readonly state: string;
  readonly keeping: Parameters;
}): JSX.Element => {
  const [first] = of.stops;
  const addresses = useAddresses();
  const href = first === undefined || of.stops.length > 1 ? null : addresses.entity(first, keeping);
  const box = (
    <>
      <title>{namesOf(of)}</title>
      <rect width={BOX.width} height={BOX.height} rx={5} />
      {/* A picture in the picture: no name can leave its box. */}
      <svg width={BOX.width} height={BOX.height}>
        <text class="called" x={9} y={17}>
          {titleOf(of)}
        </text>
        <text class="column" x={9} y={32}>
          {underTitle(of, alike)}
        </text>
      </svg>
    </>
  );
  return (
    <g class={`box ${state}`} transform={`translate(${of.x} ${of.y})`}>
      {href === null ? box : <a href={href}>{box}</a>}
    </g>
  );
};

const curve = ({ from, to, passed, straight }: Line): string => {
  if (to.x <= from.x) {
    const [x1, y1, x2, y2] = [from.x, from.y, to.x, to.y];
    const [right, down] = [BOX.width, BOX.height / 2];
    return `M${x1 + right} ${y1 + down}C${x1 + right + 30} ${y1 + down} ${x2 + right + 30} ${y2 + down} ${x2 + right} ${y2 + down}`;
  }
  let path = `M${from.x + BOX.width} ${from.y + BOX.height / 2}`;
  let [x, y] = [from.x + BOX.width, from.y + BOX.height / 2];
  const end = { x: to.x, y: to.y + BOX.height / 2 };
  for (const next of [...passed, end]) {
    if (next === end && straight > 0) path += `H${(x += straight)}`;
    const bend = (next.x - x) / 2;
    path += `C${x + bend} ${y} ${next.x - bend} ${next.y} ${next.x} ${next.y}`;
    [x, y] = [next.x + BOX.width, next.y];
    if (next.x !== to.x) path += `H${x}`;
  }
  return path;
};

/** What the picture says about ways that are cut. */
export interface Lights {
  /** Whether something is cut. */
  readonly isCut: boolean;
  /** The steps that are cut, by their names in an address. */
  readonly cuts: ReadonlySet<string>;
  /** The numbers of the ways that remain. */
  readonly remaining: ReadonlySet<number>;
}

const stateOfLine = ({ cuts, ways }: Line, lights: Lights): string => {
  if (!lights.isCut) return '';
  if (cuts.every((each) => lights.cuts.has(each))) return 'gone';
  return [...ways].some((way) => lights.remaining.has(way)) ? 'lit' : 'dim';
};

/** Where the straight end of a line begins. */
const straightOf = ({ from, passed }: Line): { readonly x: number; readonly y: number } => {
  const last = passed.at(-1);
  return { x: (last?.x ?? from.x) + BOX.width, y: last?.y ?? from.y + BOX.height / 2 };
};

/** What is written at a line. */
const AtLine = ({
  of,
  lights,
}: {
  readonly of: Line;
  readonly lights: Lights;
}): JSX.Element | null => {
  if (of.names.length === 0 || of.to.x <= of.from.x) return null;
  const { x, y } = straightOf(of);
  const on = textAtLine(of.scopes, 'on ');
  const isLit = ['', 'lit'].includes(stateOfLine(of, lights));
  return (
    <g class={isLit ? undefined : 'dim'}>
      <text class="at" x={x + 8} y={y - 5}>
        {textAtLine(of.names)}
      </text>
      {on === '' ? null : (
        <text class="column" x={x + 8} y={y + 14}>
          {on}
        </text>
      )}
    </g>
  );
};

/** What the picture shows where nothing can be cut. */
const UNCUT: Lights = { isCut: false, cuts: new Set(), remaining: new Set() };

const Hop = ({
  of,
  lights,
  cutAddress,
}: {
  readonly of: Line;
  readonly lights: Lights;
  readonly cutAddress?: ((cuts: readonly string[]) => string) | undefined;
}): JSX.Element => {
  const listed = (texts: readonly string[]): string =>
    cut(texts.slice(0, MOST_NAMES).join(', '), LETTERS.line);
  const gives = of.names.length === 0 ? '' : `: ${listed(of.names)}`;
  const on = of.scopes.length === 0 ? '' : ` on ${listed(of.scopes)}`;
  const ends = `from ${endOf(of.from)} to ${endOf(of.to)}${gives}${on}`;
  const line = curve(of);
  if (cutAddress === undefined) {
    return (
      <g class="hop">
        <title>{ends}</title>
        <path d={line} />
      </g>
    );
  }
  const name = `Cut the step ${ends}`;
  return (
    <a
      class={`hop ${stateOfLine(of, lights)}`}
      href={cutAddress(of.cuts)}
      aria-label={name}
      tabIndex={-1}
    >
      <title>{name}</title>
      <path class="reach" d={line} />
      <path d={line} />
    </a>
  );
};

interface Drawing {
  readonly of: PathMap;
  readonly lights?: Lights;
  readonly keeping?: Parameters;
  /** The same page with these steps cut; without it no step can be. */
  readonly cutAddress?: ((cuts: readonly string[]) => string) | undefined;
}

/** What is in the picture of a map. */
const Drawn = ({
  of: { boxes, lines, columns },
  lights = UNCUT,
  keeping = {},
  cutAddress,
}: Drawing): JSX.Element => {
  const lit = new Set(
    lines.flatMap((line) =>
      stateOfLine(line, lights) === 'lit' ? [line.from.id, line.to.id] : [],
    ),
  );
  const alike = confusable(boxes);
  return (
    <>
      {columns.map(({ name, x }) => (
        <text key={`${name} ${x}`} class="column" x={x} y={14}>
          {name}
        </text>
      ))}
      {lines.map((line) => (
        <Hop key={line.cuts.join()} of={line} {...{ lights, cutAddress }} />
      ))}
      {lines.map((line) => (
        <AtLine key={line.cuts.join()} of={line} lights={lights} />
      ))}
      {boxes.map((box) => (
        <BoxOf
          key={box.id}
          of={box}
          state={!lights.isCut ? '' : lit.has(box.id) ? 'lit' : 'dim'}
          {...{ keeping, alike }}
        />
      ))}
    </>
  );
};

/** The ways as a picture, from left to right. The table next to it has the same in words. */
export const Picture = (drawing: Drawing): JSX.Element => {
  const { width, height } = drawing.of;
  return (
    <>
      <p class={`hint sideways ${widthClass(width)}`}>
        The map is wider than the screen: move it sideways.
      </p>
      <div class="map scroll" role="region" aria-label="Map of the ways" tabIndex={0}>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          width={width}
          height={height}
          role="group"
          aria-label="Ways, from left to right"
        >
          <Drawn {...drawing} />
        </svg>
      </div>
    </>
  );
};

/** How a picture looks that is a file: nothing of the page is there. */
const STYLE = [
  'text{font:12px sans-serif;fill:#1a2433}',
  '.called{font-size:13px}',
  '.column{fill:#4d5a6b}',
  '.title{font-size:15px;font-weight:bold}',
  'path{fill:none;stroke:#4d5a6b;stroke-width:1.4}',
  'rect{fill:#f3f6f9;stroke:#4d5a6b}',
].join('');

const HEAD = 44;

interface Filed {
  readonly of: PathMap;
  readonly title: string;
  /** Of when it is, and who asked. */
  readonly about: string;
}

const PictureFile = ({ of, title, about }: Filed): JSX.Element => {
  const width = Math.max(of.width, 600);
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`0 0 ${width} ${of.height + HEAD}`}
      width={width}
      height={of.height + HEAD}
    >
      <title>{visible(title)}</title>
      <style>{STYLE}</style>
      <text class="title" x={4} y={18}>
        {cut(title, LETTERS.line)}
      </text>
      <text class="column" x={4} y={36}>
        {visible(about)}
      </text>
      <g transform={`translate(0 ${HEAD})`}>
        <Drawn of={of} />
      </g>
    </svg>
  );
};

/** The same picture as a file: it says what it shows, and needs nothing else. */
export const pictureFile = (filed: Filed): string =>
  // In the text of an XML these three characters are an error, which HTML does not know.
  renderToString(<PictureFile {...filed} />).replaceAll(']]>', ']]&gt;');

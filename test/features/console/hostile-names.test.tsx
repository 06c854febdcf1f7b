import { renderToString } from 'preact-render-to-string';

import type { ExplanationAnswer } from '../../../src/contract/answers/questions/access';
import { beginningOf, documentOf, endOf } from '../../../src/features/console/frame/document';
import { PLAIN } from '../../../src/features/console/parts/own-handles';
import { Reading } from '../../../src/features/console/frame/reading';
import { pathMap } from '../../../src/features/console/map/layout';
import { Picture, pictureFile } from '../../../src/features/console/map/path-map';
import { shortWays } from '../../../src/features/console/map/short-ways';
import { stepsIn, StepTable, WayTable } from '../../../src/features/console/map/tables';
import { waysOf } from '../../../src/features/console/map/ways';
import { savedQueries } from '../../../src/kit/saved-queries';
import type { SavedQuery } from '../../../src/kit/saved-query';
import { AskedInCypher } from '../../../src/features/console/parts/asked';
import { Entity, Name } from '../../../src/features/console/parts/name';
import { FoundEntity } from '../../../src/features/console/parts/found';
import { expectPlainPage, HOSTILE } from './page-parts';

const ALL = [...HOSTILE, '\u0000\u0007\u001b[2J\u2028line'];

const saved = savedQueries()[0] as SavedQuery;

const lights = { isCut: false, cuts: new Set<string>(), remaining: new Set<number>() };
const hop = (label: string, name: string, relationship: string | null = 'MEMBER_OF') => ({
  id: `s|${label}|${name}`,
  label,
  name,
  relationship,
  from: null,
  since: '2026-01-01T00:00:00Z',
  data_source: 's',
  push: name,
});

const explained = (name: string): ExplanationAnswer => ({
  truncated: false,
  paths: [
    {
      permission: { name, permission_type: ['DataRead'] },
      hops: [hop('IdpUser', name, null), hop('IdpGroup', name), hop('Permission', name, 'OF')],
      scope: [hop('Resource', name, 'ON')],
    },
  ],
});

/** A page that is sent whole, and one that begins before its answer. */
const pagesWith = (name: string): readonly string[] => {
  const ways = waysOf(explained(name));
  const short = shortWays(ways, {});
  const summary = {
    id: name,
    label: 'IdpUser',
    name,
    path: name,
    resource_type: name,
    application: name,
    domain: name,
    inactive: false,
  };
  const found = {
    id: name,
    label: 'LocalUser',
    name,
    properties: { email: name, id: [name] },
    data_source: name,
    provider: name,
    since: null,
    changed: null,
  };
  const body = (
    <Reading.Provider
      value={{
        seesAll: true,
        neo4jBrowser: 'http://localhost:7474/browser',
        formToken: '',
        zone: 'UTC',
        hide: PLAIN.hide,
      }}
    >
      <Name>{name}</Name>
      <Entity of={summary} keeping={{ at: name }} />
      <FoundEntity of={found} />
      <Picture
        of={pathMap(short, 'few')}
        lights={lights}
        keeping={{}}
        cutAddress={() => '/console'}
      />
      <StepTable
        of={stepsIn(ways)}
        path="/console/why"
        names={new Map([['s', { name, provider: name }]])}
        {...{ lights, keeping: {}, parameters: { principal: name } }}
      />
      <WayTable of={short} keeping={{}} lights={lights} addressWith={() => '/console'} />
      <AskedInCypher
        of={{
          saved,
          parameters: { name },
          query: { cypher: 'RETURN $name', parameters: { name } },
        }}
      />
    </Reading.Provider>
  );
  const frame = { places: [], path: '/console', aside: null, sought: name, mayFind: true };
  const moment = {
    written: name,
    at: '2026-11-28T12:00:00Z',
    path: '/console',
    parameters: { q: name },
    against: { written: name, at: '2026-11-29T12:00:00Z' },
  };
  const content = { title: name, moment, body };
  return [documentOf(frame, content), beginningOf(frame) + endOf(content)];
};

test.each(ALL)('a page shows %j as text', (name) => {
  for (const html of pagesWith(name)) expectPlainPage(html);
});

// A small push key could bring one name that no picture with it survived: XML is stricter than HTML.
test.each([...ALL, 'a]]>b', ']]>', '\uffff\ufffe', '<![CDATA[ x ]]>', '&#0; &nbsp;'])(
  'a picture with %j is XML',
  (name) => {
    const of = pathMap(shortWays(waysOf(explained(name)), {}), 'few');
    const svg = pictureFile({ of, title: `Through what ${name}`, about: `${name} from ${name}` });
    expect(svg).not.toMatch(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
    const texts = svg.split(/<\/?[a-z]+(?: [\w:]+="[^"<]*")*\/?>/);
    expect(texts.filter((text) => /[<]|\]\]>|&(?!(?:amp|lt|gt|quot);)/.test(text))).toEqual([]);
  },
);

test('a name is isolated, so that its direction changes nothing around it', () => {
  // Before, a path broke within a name: "Firmware.bootloader.m ain".
  const path = renderToString(<Name isPath>{'Firmware.bootloader.main/src/a.b'}</Name>);
  expect(path).toBe(
    '<bdi dir="auto">Firmware.<wbr/>bootloader.<wbr/>main/<wbr/>src/<wbr/>a.b</bdi>',
  );
  expect(renderToString(<Name>{'أمارا'}</Name>)).toBe('<bdi dir="auto">أمارا</bdi>');
});

test('a long name has all of it as its title', () => {
  const long = 'x'.repeat(256);
  expect(renderToString(<Name>{long}</Name>)).toBe(`<bdi dir="auto" title="${long}">${long}</bdi>`);
});

test('without a role no name leads to the page of somebody', () => {
  const summary = { id: 's|IdpUser|ann', label: 'IdpUser', name: 'Ann' };
  const html = renderToString(
    <Reading.Provider
      value={{ seesAll: false, neo4jBrowser: null, formToken: '', zone: 'UTC', hide: PLAIN.hide }}
    >
      <Entity of={summary} />
    </Reading.Provider>,
  );
  expect(html).not.toContain('href');
});

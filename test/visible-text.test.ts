import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';

import { transports } from 'winston';

import { tableOf } from '../src/command/output';
import { createLog } from '../src/log';
import { visible, visibleLines } from '../src/visible-text';

const CHARACTERS = [
  '\u0000',
  '\u0007',
  '\b',
  '\r',
  '\u001b',
  '\u007f',
  '\u0085',
  '\u009b',
  '\u061c',
  '\u200e',
  '\u202a',
  '\u202e',
  '\u2066',
  '\u2069',
  '\u2028',
  '\u2029',
  '\u200b',
  '\ufeff',
  '\u00ad',
  '\u3164',
  '\ud800',
  '\u{e0041}',
  // What is no character: no XML may have U+FFFE and U+FFFF, so nobody could open a picture.
  '\ufffe',
  '\uffff',
  '\ufdd0',
  '\u{1fffe}',
];

test('names rewrite no screen: what a terminal obeys or hides is written as an escape', () => {
  for (const character of CHARACTERS) {
    const name = `ann${character}boss`;
    expect(visible(name)).toMatch(/^ann(\\u[0-9a-f]{4}){1,2}boss$/);
    // In JSON it means the same.
    expect(JSON.parse(visible(JSON.stringify({ name })))).toEqual({ name });
    expect(tableOf([{ name }], ['name'])).not.toContain(character);
  }
  expect(visibleLines('a\nb\rc')).toBe('a\nb\\u000dc');
  // A plan of an erasure could be given another line.
  expect(tableOf([{ name: 'ann\nremoved  IdpUser  boss' }], ['name']).split('\n')).toHaveLength(2);
});

test('names of every script stay as they are', () => {
  for (const name of ['Zoë', 'महेश', 'שרה', 'عمر', '李雷', 'नि\u200dक', '👩\u200d💻', 'e\u0301']) {
    expect(visible(name)).toBe(name);
  }
});

test('nothing prints past this', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && file !== 'visible-text.ts')
    .map((file) => join('src', file));
  const printing = files.filter((file) =>
    /process\.std(out|err)\.write|console\.\w+\(/.test(readFileSync(file, 'utf8')),
  );
  expect(printing).toEqual([]);
});

test.each(['json', 'pretty'] as const)('a line of the %s log obeys no name', (format) => {
  let text = '';
  const stream = new Writable({
    write: (piece: Buffer, _encoding, done) => {
      text += piece.toString('utf8');
      done();
    },
  });
  const log = createLog({ level: 'info', format }, new transports.Stream({ stream }));
  log.info('key \u202e was used', { key: 'a\u001b[2J\u2066\nb' });
  expect(text).toContain('\\u202e');
  expect(text).toContain('\\u001b[2J\\u2066');
  expect(text.trimEnd().split('\n')).toHaveLength(1);
});

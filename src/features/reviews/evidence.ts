import { createHash, type Hash } from 'node:crypto';

import { Zip, ZipDeflate } from 'fflate';

import type { Context } from '../../context';
import { type CsvColumn, csvHead, csvLines } from '../../contract/csv';
import { escaped } from '../../web/exchange/html-page';
import { parsedText } from './answers';
import { type Review, REVIEW_SETTINGS, type ReviewSource } from './records';
import { notFound } from './refuse';
import { inSnapshot, type Snapshot, type StoredEntry } from './stored/snapshot';
import { type StoredItem, textIn, textsIn, timeIn, toPerson } from './stored/store';

/** A fixed time, so that the same review makes the same bytes. */
const AT = new Date(2026, 0, 1);

/** A zip file that is made piece by piece, with a manifest of the digests of its files. */
class EvidenceZip {
  private readonly chunks: Uint8Array[] = [];
  private readonly zip: Zip;
  private readonly digests: Record<string, string> = {};

  constructor() {
    this.zip = new Zip((error, chunk) => {
      if (error !== null) throw error;
      this.chunks.push(chunk);
    });
  }

  file(name: string): { readonly add: (text: string) => void; readonly end: () => void } {
    const file = new ZipDeflate(name, { level: 6 });
    file.mtime = AT;
    this.zip.add(file);
    const hash: Hash = createHash('sha256');
    return {
      add: (text) => {
        const bytes = Buffer.from(text, 'utf8');
        hash.update(bytes);
        file.push(bytes);
      },
      end: () => {
        this.digests[name] = hash.digest('hex');
        file.push(new Uint8Array(0), true);
      },
    };
  }

  /** Adds a complete file. */
  add(name: string, text: string): void {
    const { add, end } = this.file(name);
    add(text);
    end();
  }

  end(): Buffer {
    this.add('manifest.json', JSON.stringify({ sha256: this.digests }, null, 1));
    this.zip.end();
    return Buffer.concat(this.chunks);
  }
}

const line = (value: object): string => `${JSON.stringify(value)}\n`;

/** An item as the script reads it: everything of which there is a digest. */
const itemLine = (item: StoredItem): string => {
  const { number, holder, entitlement, marks, digest, state, reviewer, remediation } = item;
  const { properties } = item;
  return line({
    number,
    holder,
    reviewer: textIn(properties, 'first_reviewer'),
    is_carried: properties.is_carried === true,
    effect: textIn(properties, 'effect'),
    entitlement,
    marks,
    texts: textIn(properties, 'texts_digest'),
    digest,
    state,
    last_reviewer: reviewer,
    remediation,
    decided_by: textIn(properties, 'decided_by'),
    fact: textIn(properties, 'fact'),
    shown: textIn(properties, 'shown'),
    seals: textsIn(properties, 'seals'),
  });
};

const entryLine = (entry: StoredEntry): string => {
  const { seq, previous, act, item, by, at, batch, shown, detail, said, properties } = entry;
  return line({
    seq,
    previous,
    act,
    item,
    by,
    at,
    batch,
    shown,
    detail,
    said,
    salt: textIn(properties, 'salt'),
    reason: textIn(properties, 'reason'),
    key_id: textIn(properties, 'key_id'),
    key_name: textIn(properties, 'key_name'),
    seals: textsIn(properties, 'seals'),
    hash: textIn(properties, 'hash'),
  });
};

type NameOf = (alias: string) => string;

const column = <R>(name: string, cell: (row: R) => unknown): CsvColumn<R> => ({ name, cell });

const shownIn = ({ properties }: StoredItem): Readonly<Record<string, unknown>> =>
  (parsedText(properties.shown) ?? {}) as Readonly<Record<string, unknown>>;

const ACCOUNT = column(
  'account',
  (item: StoredItem) => (shownIn(item).holder as { name?: string } | undefined)?.name ?? '',
);

const itemColumns = (nameOf: NameOf): readonly CsvColumn<StoredItem>[] => [
  column('number', ({ number }) => number),
  column('state', ({ state }) => state),
  column('person', ({ holder }) => nameOf(holder)),
  ACCOUNT,
  column('holds', (item) => shownIn(item).holds),
  column('permissions', (item) => shownIn(item).permissions),
  column('resources', (item) => shownIn(item).resources),
  column('people', (item) => shownIn(item).people),
  column('changes_nothing', (item) => shownIn(item).changes_nothing),
  column('also', (item) => shownIn(item).also),
  column('since', (item) => shownIn(item).since),
  column('since_push', (item) => shownIn(item).since_push),
  column('marks', ({ marks }) => marks),
  column('reviewer', ({ reviewer }) => nameOf(reviewer)),
  column('why_reviewer', (item) => shownIn(item).why_reviewer),
  column('decided_by', ({ properties }) => nameOf(textIn(properties, 'decided_by'))),
  column('decided_at', ({ properties }) => timeIn(properties, 'decided_at')),
  column('reason', ({ properties }) => textIn(properties, 'reason')),
];

const remediationColumns = (nameOf: NameOf): readonly CsvColumn<StoredItem>[] => {
  const done = (name: string) => column(name, (item: StoredItem) => textIn(item.done ?? {}, name));
  const time = (name: string) => column(name, (item: StoredItem) => timeIn(item.done ?? {}, name));
  return [
    column('item', ({ number }) => number),
    done('state'),
    time('ordered_at'),
    time('changed_at'),
    done('push'),
    done('through'),
    column('excepted_by', ({ done: read }) => nameOf(textIn(read ?? {}, 'excepted_by'))),
    time('excepted_until'),
    done('reason'),
    time('sent_at'),
    column('sent_by', ({ done: read }) => nameOf(textIn(read ?? {}, 'sent_by'))),
    done('sent_to'),
    done('answer'),
    time('answered_at'),
    column('person', ({ holder }) => nameOf(holder)),
    ACCOUNT,
    column('holds', (item) => shownIn(item).holds),
    column('revoked_because', ({ properties }) => textIn(properties, 'reason')),
  ];
};

const entryColumns = (nameOf: NameOf): readonly CsvColumn<StoredEntry>[] => [
  ...(['seq', 'at', 'act', 'item'] as const).map((name) =>
    column(name, (entry: StoredEntry) => entry[name]),
  ),
  column('by', ({ by }) => nameOf(by)),
  ...(['batch', 'detail'] as const).map((name) =>
    column(name, (entry: StoredEntry) => entry[name]),
  ),
  column('reason', ({ properties }) => textIn(properties, 'reason')),
  column('key', ({ properties }) => textIn(properties, 'key_name')),
  column('hash', ({ properties }) => textIn(properties, 'hash')),
];

const sourceColumns: readonly CsvColumn<ReviewSource>[] = (
  ['data_source', 'name', 'provider', 'push', 'at', 'is_stale', 'has_failed', 'reason'] as const
).map((name) => column(name, (source) => source[name]));

/** Some of the pairs of the coverage. */
interface Pairs {
  readonly what: string;
  readonly review?: string;
  readonly because?: string;
  readonly pairs: number;
}

const pairsOf = ({ coverage }: Review): readonly Pairs[] =>
  coverage === null
    ? []
    : [
        { what: 'all pairs in scope', pairs: coverage.pairs },
        { what: 'items of this review', pairs: coverage.reviewed },
        ...coverage.elsewhere.map((each) => ({ what: 'items of another review', ...each })),
        ...coverage.not_reviewed.map((each) => ({ what: 'not reviewed', ...each })),
      ];

const pairsColumns: readonly CsvColumn<Pairs>[] = (
  ['what', 'review', 'because', 'pairs'] as const
).map((name) => column(name, (some) => some[name]));

const ruleColumns = (review: Review): readonly CsvColumn<(typeof REVIEW_SETTINGS)[number]>[] => [
  column('rule', ({ name }) => name),
  column('value', ({ name }) => review[name]),
  column('meaning', ({ doc }) => doc),
];

const tableOf = <R>(columns: readonly CsvColumn<R>[], all: readonly R[]): string =>
  csvHead(columns) + (all.length === 0 ? '' : csvLines(columns, all));

const rows = (pairs: readonly (readonly [string, unknown])[]): string =>
  pairs
    .filter(([, value]) => value !== null)
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
      return `<tr><th>${escaped(name)}</th><td>${escaped(text)}</td></tr>`;
    })
    .join('\n');

const pageOf = (
  { stored: { review } }: Snapshot,
  numbers: Readonly<Record<string, number>>,
  remediation: Readonly<Record<string, number>>,
): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(review.name)}</title></head><body>
<h1>${escaped(review.name)}</h1>
<table>
${rows([
  ['State', review.state],
  ['Population of', review.at],
  ['Due', review.due],
  ['Closed', review.closed_at],
  ['Attestation', review.attestation],
  ['Second seal', review.remediated_at],
  ['Cancelled', review.cancelled_at],
  ['Why it was cancelled', review.reason],
  ['Scope', review.scope],
  ['Digest of the population', review.digest],
  ['Head of the chain', review.head],
])}
</table>
<h2>Items</h2>
<table>
${rows(Object.entries(numbers))}
</table>
<h2>Revokes</h2>
<table>
${rows(Object.entries(remediation))}
</table>
<h2>Coverage</h2>
<table>
${rows(Object.entries(review.coverage ?? {}))}
</table>
<h2>Sources</h2>
<table>
${rows((review.sources ?? []).map((source) => [`${source.provider}: ${source.name}`, source]))}
</table>
<p>items.csv, decisions.csv and remediation.csv list everything. sources.csv, coverage.csv and rules.csv are as of the
opening. verify-review.py compares the digests.</p>
</body></html>
`;

const countIn = (counts: Record<string, number>, name: string): void => {
  counts[name] = (counts[name] ?? 0) + 1;
};

/** The evidence of a review as a zip file. Of a draft that somebody cancelled it is who did so, when and why. */
export const evidenceOf = (context: Context, id: string): Promise<Buffer> =>
  inSnapshot(context, id, async (snapshot) => {
    const { stored, people } = snapshot;
    const { review } = stored;
    if (review.state === 'draft') {
      throw notFound('evidence: a draft has it once somebody opens or cancels it');
    }
    const zip = new EvidenceZip();
    const nameOf: NameOf = (alias) => {
      const name = textIn(people.get(alias) ?? {}, 'name');
      return name === '' ? alias : `${name} (${alias})`;
    };
    const { settings, settingsDigest: settings_digest, salt } = stored;
    zip.add(
      'review.json',
      JSON.stringify(
        { review, settings, settings_digest, salt, verified_by: 'verify-review.py' },
        null,
        1,
      ),
    );
    const everybody = [...people.values()].map((each) => line(toPerson(each)));
    zip.add('people.jsonl', everybody.join(''));
    const items = zip.file('items.jsonl');
    const table = itemColumns(nameOf);
    const itemsTable = zip.file('items.csv');
    itemsTable.add(csvHead(table));
    const remediationTable = zip.file('remediation.csv');
    const remediationOf = remediationColumns(nameOf);
    remediationTable.add(csvHead(remediationOf));
    const [numbers, remediation]: [Record<string, number>, Record<string, number>] = [{}, {}];
    for await (const page of snapshot.items()) {
      items.add(page.map(itemLine).join(''));
      itemsTable.add(csvLines(table, page));
      const done = page.filter((item) => item.done !== null);
      if (done.length > 0) remediationTable.add(csvLines(remediationOf, done));
      for (const item of page) countIn(numbers, item.state);
      for (const item of done) countIn(remediation, item.remediation ?? '');
    }
    for (const file of [items, itemsTable, remediationTable]) file.end();
    const chain = zip.file('decisions.jsonl');
    const chainTable = zip.file('decisions.csv');
    const chainColumns = entryColumns(nameOf);
    chainTable.add(csvHead(chainColumns));
    for await (const page of snapshot.entries()) {
      chain.add(page.map(entryLine).join(''));
      chainTable.add(csvLines(chainColumns, page));
    }
    for (const file of [chain, chainTable]) file.end();
    zip.add('sources.csv', tableOf(sourceColumns, review.sources ?? []));
    zip.add('coverage.csv', tableOf(pairsColumns, pairsOf(review)));
    zip.add('rules.csv', tableOf(ruleColumns(review), REVIEW_SETTINGS));
    zip.add('review.html', pageOf(snapshot, numbers, remediation));
    return zip.end();
  });

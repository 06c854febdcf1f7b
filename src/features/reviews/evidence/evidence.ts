import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Context } from '../../../context';
import { csvLines } from '../../../contract/csv';
import { notFound } from '../refuse';
import { inSnapshot } from '../stored/snapshot';
import { textIn, toPerson } from '../stored/store';
import { entryLine, itemLine, line } from './lines';
import { namedOf } from './named';
import { evidencePage, Told, VERIFIED_BY } from './page';
import {
  entryColumns,
  headOf,
  itemColumns,
  tablesOf,
  type NameOf,
  remediationColumns,
} from './tables';
import { EvidenceZip } from './zip';

/** The evidence of a review as a zip file. Of a draft that somebody cancelled it is who did so, when and why. */
export const evidenceOf = async (context: Context, id: string): Promise<Buffer> => {
  // Names come first: nobody waits for the graph of access while the review is held.
  const named = await namedOf(context, id);
  return inSnapshot(context, id, async (snapshot) => {
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
        { review, settings, settings_digest, salt, verified_by: VERIFIED_BY },
        null,
        1,
      ),
    );
    const everybody = [...people.values()].map((each) => line(toPerson(each)));
    zip.add('people.jsonl', everybody.join(''));
    const told = new Told();
    const items = zip.file('items.jsonl');
    const table = itemColumns(nameOf, named.before);
    const itemsTable = zip.file('items.csv');
    itemsTable.add(headOf(table));
    const remediationTable = zip.file('remediation.csv');
    const remediationOf = remediationColumns(nameOf);
    remediationTable.add(headOf(remediationOf));
    for await (const page of snapshot.items()) {
      items.add(page.map(itemLine).join(''));
      itemsTable.add(csvLines(table, page));
      const done = page.filter((item) => item.done !== null);
      if (done.length > 0) remediationTable.add(csvLines(remediationOf, done));
      for (const item of page) told.addItem(item);
    }
    for (const file of [items, itemsTable, remediationTable]) file.end();
    const chain = zip.file('decisions.jsonl');
    const chainTable = zip.file('decisions.csv');
    const chainColumns = entryColumns(nameOf);
    chainTable.add(headOf(chainColumns));
    for await (const page of snapshot.entries()) {
      chain.add(page.map(entryLine).join(''));
      chainTable.add(csvLines(chainColumns, page));
      for (const entry of page) told.addEntry(entry);
    }
    for (const file of [chain, chainTable]) file.end();
    for (const [name, text] of tablesOf(review)) zip.add(name, text);
    const { ownerAlias: owner, fallbackAlias: fallback } = stored;
    await nextTurn();
    const page = evidencePage({ named, review, owner, fallback, nameOf, told });
    await nextTurn();
    zip.add('review.html', page);
    return zip.end();
  });
};

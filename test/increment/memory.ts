import { Definitions } from '../../src/check/definitions';
import { decodePayload } from '../../src/contract/decode';
import type { Template } from '../../src/templates/templates';
import { parseJson } from '../../src/contract/json';
import { type Link, withTagsOf } from '../../src/difference/difference';
import { incrementDifference } from '../../src/difference/increment';
import { foreseenNeeds } from '../../src/increment/foreseen';
import { incrementOf } from '../../src/increment/increment';
import {
  type KnownRows,
  type Need,
  needId,
  NOTHING_KNOWN,
  type CurrentRow,
} from '../../src/increment/working/current-rows';
import type { TouchedRow } from '../../src/increment/working/touched-row';
import type { Problem, ProblemList } from '../../src/problem';
import { payloadRows } from '../../src/rows/payload-rows';
import { type Row, type Stated, statedBy } from '../../src/rows/row/row';
import { rowHash } from '../../src/rows/row/row-hash';

const NAMING = ['name', 'id', 'unique_id', 'identity', 'path'];
const LOOKUPS = ['fold_id', 'fold_other_id', 'fold_name', 'fold_path', 'fold_id_path'];

/** A data source whose rows stand in memory: what increments need is found by looking at all of them. */
export class MemorySource {
  rows = new Map<string, Row>();
  /** What the newest increment asked for, each time that it asked. */
  asked: (readonly Need[])[] = [];
  private definitions = Definitions.none;
  private isFirst = true;

  constructor(readonly template: Template) {}

  /** The problems of a push, `pointer CODE` each; without any it is applied. */
  push(text: string): readonly string[] {
    return this.take(text).map(({ pointer, code }) => `${pointer} ${code}`);
  }

  /** The problems of a push; without any it is applied. */
  take(text: string): readonly Problem[] {
    const json = parseJson(text);
    if (json._tag === 'Left') return json.left.problems;
    const decoded = decodePayload(this.template, json.right);
    if (decoded._tag === 'Left') return decoded.left.problems;
    const push = decoded.right;
    if (push._tag === 'Increment' && this.isFirst) {
      const pointer = push.pointerAsSent('/incremental_change');
      return [{ pointer, code: 'INCREMENTAL_FIRST_PUSH', message: '' }];
    }
    const { problems, definitions } =
      push._tag === 'Full' ? this.whole(push.payload) : this.increment(push.payload);
    if (problems.total > 0) {
      return problems.problems.map((problem) => ({
        ...problem,
        pointer: push.pointerAsSent(problem.pointer),
      }));
    }
    this.definitions = push._tag === 'Full' ? definitions : this.definitions.merge(definitions);
    this.isFirst = false;
    return [];
  }

  private whole(payload: object): { problems: ProblemList; definitions: Definitions } {
    const { rows, problems, definitions } = payloadRows(
      this.template,
      payload as never,
      this.definitions,
    );
    if (problems.total === 0) {
      this.rows = new Map(
        rows.rows.map((row) => {
          const before = this.rows.get(row.key);
          return [row.key, before === undefined ? row : withTagsOf(before, row)];
        }),
      );
    }
    return { problems, definitions };
  }

  private increment(payload: object): { problems: ProblemList; definitions: Definitions } {
    this.asked = [];
    const foreseen = foreseenNeeds(this.template, payload as never, this.definitions, 100);
    let known = this.learn(NOTHING_KNOWN, foreseen);
    for (let round = 0; round < 50; round += 1) {
      const { needs, hintNeeds, problems, rows, definitions } = incrementOf(
        this.template,
        payload as never,
        this.definitions,
        known,
        100,
      );
      const wanted = needs.length > 0 || problems.total === 0 ? needs : hintNeeds;
      if (wanted.length > 0) {
        known = this.learn(known, wanted);
        continue;
      }
      if (problems.total > 0) return { problems, definitions };
      this.write(rows);
      return { problems, definitions };
    }
    throw new Error('never learns enough');
  }

  /** Carries the change over to the rows, which stand whole, and compares what the diff says of it. */
  private write(touched: readonly TouchedRow[]): void {
    const { created, changed, linked, unlinked } = incrementDifference(touched);
    const identities = (links: readonly Link[], key: string): readonly string[] =>
      links.flatMap(({ row, stated: { identity } }) => (row === key ? [identity] : [])).sort();
    const stood = new Map(this.rows);
    for (const { before, after, isPart = false } of touched) {
      if (after === null) {
        if (before !== null) this.rows.delete(before.row.key);
        continue;
      }
      const named = new Set(before?.row.relationships.map(({ identity }) => identity));
      const kept = isPart ? stood.get(after.key)?.relationships.filter(isLong) : [];
      const others = (kept ?? []).filter(({ identity }) => !named.has(identity));
      this.rows.set(after.key, { ...after, relationships: [...after.relationships, ...others] });
    }
    for (const { hash, row } of [...created, ...changed.map(({ after }) => after)]) {
      const now = this.rows.get(row.key) as Row;
      if (hash !== rowHash(now)) throw new Error(`the hash of ${row.key} says something else`);
    }
    for (const { before } of touched) {
      const key = before?.row.key ?? '';
      const was = stood.get(key);
      if (was === undefined) continue;
      const [old, now] = [was, this.rows.get(key)].map(
        (row) => new Set((row === undefined ? [] : statedBy(row)).map(({ identity }) => identity)),
      ) as [Set<string>, Set<string>];
      expect(identities(linked, key)).toEqual([...now].filter((one) => !old.has(one)).sort());
      expect(identities(unlinked, key)).toEqual([...old].filter((one) => !now.has(one)).sort());
    }
  }

  private learn({ rows, found }: KnownRows, needs: readonly Need[]): KnownRows {
    this.asked.push(needs);
    const read = new Map(rows);
    const keys = new Map(found);
    const stand = (key: string): CurrentRow | null => {
      const row = this.rows.get(key);
      return row === undefined ? null : { row: shortCopy(row), hash: rowHash(row) };
    };
    for (const need of needs) {
      if (need._tag === 'row') {
        read.set(need.key, stand(need.key));
        continue;
      }
      if (need._tag === 'states' || need._tag === 'list') {
        const ends = (this.rows.get(need.row)?.relationships ?? []).flatMap(({ kind, other }) =>
          kind.code === need.relationship ? [other] : [],
        );
        keys.set(
          needId(need),
          need._tag === 'list' ? ends : ends.filter((other) => other === need.other),
        );
        continue;
      }
      const answer = [...this.rows.values()].filter((row) => this.answers(row, need));
      if (need._tag === 'spellings') {
        const texts = answer.flatMap(({ properties }) =>
          NAMING.flatMap((name) =>
            typeof properties[name] === 'string' ? [properties[name]] : [],
          ),
        );
        keys.set(needId(need), texts);
        continue;
      }
      keys.set(
        needId(need),
        answer.map(({ key }) => key),
      );
      for (const { key } of answer) read.set(key, stand(key));
    }
    return { rows: read, found: keys };
  }

  private answers(row: Row, need: Exclude<Need, { _tag: 'row' | 'states' | 'list' }>): boolean {
    const { kind, lookups, relationships, properties } = row;
    switch (need._tag) {
      case 'named':
        return (
          kind.label === need.label &&
          (need.application === null || properties.application === need.application) &&
          LOOKUPS.some((name) => lookups[name] === need.folded)
        );
      case 'spellings':
        return (
          kind.label === need.label &&
          (need.application === null || properties.application === need.application)
        );
      case 'referring':
        return relationships.some(
          ({ kind: one, other }) =>
            other === need.key && (one.owner === 'from' ? one.to : one.from).label === need.label,
        );
      case 'within':
        return (
          properties.application === need.application &&
          kind.label !== 'Application' &&
          kind.label !== 'Permission'
        );
      case 'below': {
        const parentOf = (one: Row | undefined): string | undefined =>
          one?.relationships.find(({ kind: { type } }) => type === 'CONTAINS')?.other;
        for (let at = parentOf(row); at !== undefined; at = parentOf(this.rows.get(at))) {
          if (at === need.key) return kind.label === 'Resource';
        }
        return false;
      }
      case 'some':
        return kind.label === need.label;
      case 'typed':
        return (
          kind.label === 'Resource' &&
          properties.application === need.application &&
          lookups.fold_resource_type === need.type &&
          (properties.id !== undefined) === need.hasId
        );
      case 'all':
        return true;
    }
  }
}

const isLong = ({ kind }: Stated): boolean => kind.isLong;

/** A copy without long lists, as increments read rows. */
const shortCopy = (row: Row): Row => ({
  ...row,
  properties: { ...row.properties },
  relationships: row.relationships.filter((one) => !isLong(one)),
  tags: [...row.tags],
});

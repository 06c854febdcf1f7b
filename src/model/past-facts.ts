import { past, text, time } from './table';

/** The label that both kinds of ended facts have. */
export const PAST = 'Past';

const until = time('When it ended: the `at` of the push that ended it, or of a deletion.');

/** A version of a row's node that ended (docs/rules.md: History). */
export const PastNode = past('PastNode', {
  holds: { of: 'data source', by: null, days: { setting: 'historyDays', after: 'until' } },
  also: [PAST],
  doc: "A version of a row's node that ended, with the node's own properties under their own names.",
  properties: {
    label: text('Label of the node.', 'nobody'),
    key: text('Key of the node. Several versions share it.', 'structure'),
    data_source: text('Id of its data source.', 'nobody'),
    provider: text("Its provider's name.", 'called'),
    since: time('When the node was created.'),
    from: time('When this version began: `since`, or the `until` of the version before.'),
    until,
  },
  indexes: [['key', 'until'], 'until'],
});

/** A relationship that ended, or a version of one (docs/rules.md: History). */
export const PastRelationship = past('PastRelationship', {
  holds: { of: 'data source', by: null, days: { setting: 'historyDays', after: 'until' } },
  also: [PAST],
  doc: 'A relationship that ended, or a version of one, with its own properties under their own names.',
  properties: {
    type: text('Type of the relationship.', 'nobody'),
    start: text('Key of the node where it started.', 'structure'),
    start_label: text('Label of that node.', 'nobody'),
    end: text('Key of the node where it ended.', 'structure'),
    end_label: text('Label of that node.', 'nobody'),
    data_source: text('Id of the data source that stated it; absent if it was derived.', 'nobody'),
    since: time('When the relationship was created.'),
    from: time('When this version began, if the relationship had others before; absent otherwise.'),
    until,
  },
  indexes: [['start', 'until'], ['end', 'until'], 'until'],
});

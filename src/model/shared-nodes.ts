import { withFoldedTexts } from './folded-texts';
import { shared, text } from './table';

export const Identity = shared('Identity', {
  colour: '#9FB7CC',
  also: ['Principal'],
  doc: 'A login, email or group name by which applications refer to a federated principal.',
  properties: { name: text('The name, folded.', 'login') },
  indexes: ['name'],
});

export const CloudRole = shared('CloudRole', {
  colour: '#5E3A8C',
  also: ['Role'],
  doc: 'A cloud role that principals assume.',
  properties: { arn: text('The ARN.', 'title') },
  indexes: ['arn'],
});

export const ExternalEntity = shared('ExternalEntity', {
  colour: '#B8A48C',
  doc: 'An entity that `entities_owned` or `connections` names.',
  properties: {
    node_type: text('Kind of entity, folded.', 'structure'),
    id: text('Its id, folded.', 'title'),
  },
  indexes: ['id'],
});

const ofTag = { name: text("The tag's key.", 'title'), value: text('Its value, if any.', 'title') };

export const Tag = shared('Tag', {
  colour: '#E3CF57',
  doc: 'A tag; one node for each key and value.',
  properties: ofTag,
  lookups: withFoldedTexts(ofTag, {}, { isCustom: false, isFound: false }),
  indexes: ['name'],
});

import { neededText, text, time } from '../fields';
import { ids, localKind } from './local-kind';

export const localModels = localKind({
  list: 'local_models',
  word: 'model',
  codecName: 'local model',
  label: 'LocalModel',
  colour: '#0B6E6E',
  doc: 'A model that agents use.',
  definition: 'local_model',
  fields: {
    name: neededText('Name.', 'title'),
    ...ids,
    ai_platform: text('Platform.', 'mention'),
    ai_model_publisher: text('Publisher.', 'mention'),
    ai_model_family: text('Family.', 'mention'),
    ai_model_series: text('Series.', 'mention'),
    created_at: time('Created.'),
  },
});
export const LocalModel = localModels.node;

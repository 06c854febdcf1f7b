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
    name: neededText('Name.'),
    ...ids,
    ai_platform: text('Platform.'),
    ai_model_publisher: text('Publisher.'),
    ai_model_family: text('Family.'),
    ai_model_series: text('Series.'),
    created_at: time('Created.'),
  },
});
export const LocalModel = localModels.node;

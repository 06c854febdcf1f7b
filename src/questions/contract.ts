import { oncePerContext } from '../context';
import { instantOfPush, sourceNames } from './in-context';
import { accessAnswers } from './routes/access-routes';
import { changesAnswer } from './routes/changes-route';
import { entityAnswers } from './routes/entity-routes';
import { gatewaysAnswer } from './routes/gateways-route';
import { historyAnswer } from './routes/history-route';
import { reviewersAnswer } from './routes/question-routes';

/**
 * The answers of the HTTP interface, each for the parameters of a request. A page that uses them
 * shows what the interface answers, and can name the request.
 */
export const interfaceOf = oncePerContext((context) => ({
  access: accessAnswers(context),
  changes: changesAnswer(context),
  entities: entityAnswers(context),
  gateways: gatewaysAnswer(context),
  history: historyAnswer(context),
  reviewers: reviewersAnswer(context),
  instantOfPush: instantOfPush(context),
  sourceNames: sourceNames(context),
}));

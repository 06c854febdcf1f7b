import type { Response } from 'express';

import { foundFor } from './find-route';
import { isJson, type Route, showsPages } from './route';

const answersHtml = ({ answer }: Route): boolean =>
  !isJson(answer) && answer.mediaTypes.includes('text/html');

/**
 * Whether people read the errors of a path in a browser: it shows pages, or a browser asks for a
 * page where there is none. Errors of the interface are always JSON.
 */
export const errorsArePages = (res: Response): boolean => {
  const { ofPath } = foundFor(res);
  if (ofPath.some(showsPages)) return true;
  if (res.req.path.startsWith('/api/')) return false;
  const mayBePage = ofPath.length === 0 || ofPath.some(answersHtml);
  if (!mayBePage) return false;
  res.vary('Accept');
  return res.req.accepts(['json', 'html']) === 'html';
};

import { NoParameters } from '../../contract/parameters/query-parameters';
import type { Endpoints } from '../../web/routing/route';

/** The endpoints of the first page and of the manual, without their handlers. */
export const endpoints = {
  start: {
    method: 'get',
    path: '/',
    access: 'open',
    summary: 'A page for browsers: what runs here, and where to go on.',
    query: NoParameters,
    answer: { mediaTypes: ['text/html'] },
  },
  firstPage: {
    method: 'get',
    path: '/manual',
    access: 'open',
    isForBrowsers: true,
    summary: 'Leads to the first page of the documentation.',
    query: NoParameters,
    answer: { mediaTypes: ['text/html'] },
  },
  page: {
    method: 'get',
    path: '/manual/:page',
    access: 'open',
    summary: 'A page of the documentation, for browsers, or a picture on one.',
    query: NoParameters,
    answer: { mediaTypes: ['text/html', 'image/png'] },
  },
} as const satisfies Endpoints;

export type { PageForm } from './forms/page-form';
export type { Page } from './frame/page';
export type { FindFindings } from './overview/finding';

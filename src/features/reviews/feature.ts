import type { Context } from '../../context';
import { feature, type Work } from '../../feature';
import { accessThatCameBack, evidenceRoute, forms, pages } from '../console/reviews/contract';
import { followReviews } from './follow';
import { ReviewMail } from './mail/record';
import { MAILS_SECONDS, sendMails } from './mail/send-mails';
import { mailStatements } from './mail/statements';
import { repeatReviews } from './schedule/next-review';
import { reviewRecords } from './records';
import { removeOldReviews } from './retention/remove-old';
import { retentionStatements } from './retention/statements';
import { reviewRoutes } from './review-routes';
import { reviewStatements } from './stored/statements';
import { events } from './events';

/** How often the service looks what pushes did to the facts of reviews. */
const FOLLOWED_SECONDS = 5;

/** Mails need a mail server. */
const mailWork = (context: Context): readonly Work[] => {
  const { server, serverFile } = context.config.mail;
  if (server === undefined && serverFile === undefined) return [];
  return [
    {
      name: 'mails about reviews',
      everySeconds: MAILS_SECONDS,
      rounds: [sendMails(context)],
    },
  ];
};

/** Access reviews: who decides about which access, and the proof of it (docs/reviews.md). */
export const reviews = feature({
  name: 'reviews',
  records: [...reviewRecords, ReviewMail],
  statements: () => [...reviewStatements(), ...retentionStatements(), ...mailStatements()],
  events,
  routes: (web, context) => [
    {
      topic: { name: 'Reviews', about: 'Access reviews: who decides about which access.' },
      routes: reviewRoutes(web, context),
    },
  ],
  pages,
  forms,
  findings: accessThatCameBack,
  files: (web, context) => [evidenceRoute(web, context)],
  rounds: (context) => [
    {
      name: 'reviews',
      everySeconds: FOLLOWED_SECONDS,
      isWoken: true,
      rounds: [followReviews(context), () => repeatReviews(context)],
    },
    {
      name: 'retention of reviews',
      everySeconds: context.config.retention.everySeconds,
      rounds: [removeOldReviews(context, context.config.reviews.keptDays)],
    },
    ...mailWork(context),
  ],
});

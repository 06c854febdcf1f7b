import { fixed } from '../../settings/constant';
import { settingsOf } from '../../settings/declared';
import { anyText, optional, whole } from '../../settings/setting';
import { mailAddress, smtpServer } from './mail/addresses';

/** The settings of access reviews, and of mails about them. */
export const settings = settingsOf(
  {
    reviews: {
      keptDays: optional(
        'KEEP_REVIEWS_DAYS',
        whole(365, 36_500),
        'The service removes access reviews that ended longer ago, except the last one of each scope and what somebody still needs. Unset: it removes none.',
      ),
    },
    mail: {
      server: optional(
        'SMTP_URL',
        smtpServer,
        'Mail server that sends people a mail a day about their access reviews: `smtps://user:password@mail.example.org`, or `smtp://…` if it offers STARTTLS (port 587). Without TLS only on this machine. It needs `PUBLIC_URL` and `SMTP_FROM`. Unset: `SMTP_URL_FILE`, or else no mail.',
        true,
      ),
      serverFile: optional(
        'SMTP_URL_FILE',
        anyText,
        'File of that address, which the service reads each time that it sends mails.',
      ),
      from: optional('SMTP_FROM', mailAddress, 'Address from which these mails come.'),
    },
  },
  {
    mail: {
      mostOfDay: fixed(
        'LIMIT_MAILS_OF_DAY',
        5000,
        'How many people get a mail on one day (UTC).',
        'Few organisations have more reviewers, and a fault must not use up the quota of a mail server.',
      ),
    },
  },
  ({ mail: { server, serverFile, from }, http: { publicUrl } }) => {
    if (server === undefined && serverFile === undefined) {
      return from === undefined
        ? []
        : [{ variable: 'SMTP_URL', message: 'is missing, but SMTP_FROM is set' }];
    }
    if (server !== undefined && serverFile !== undefined) {
      const message = 'is set together with SMTP_URL_FILE: set only one of them';
      return [{ variable: 'SMTP_URL', message }];
    }
    const set = server === undefined ? 'SMTP_URL_FILE' : 'SMTP_URL';
    return Object.entries({ SMTP_FROM: from, PUBLIC_URL: publicUrl })
      .filter(([, value]) => value === undefined)
      .map(([variable]) => ({ variable, message: `is missing, but ${set} is set` }));
  },
);

import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';

import { FORM_TOKEN } from '../../sign-in/contract';
import { Reading } from './reading';

/** The token that each form of a page must hold (docs/security.md: Sign-in of people). */
export const FormToken = (): JSX.Element => (
  <input type="hidden" name={FORM_TOKEN} value={useContext(Reading).formToken} />
);

import type * as t from 'io-ts';

import { TEMPLATES, type Template } from '../templates/templates';
import { enumeration, patternText } from '../codec/text';

/** The name of a provider or data source (docs/rules.md: Requests). */
export const RegisteredName = patternText('registered name', {
  mayBeEmpty: false,
  pattern: /^[ @#$%&*:()!,a-zA-Z0-9_'"=.-]*$/,
  characters: 'letters a-z, digits, spaces and @ # $ % & * : ( ) ! , _ \' " = . -',
});

/** The template of a provider (docs/rules.md: Words). */
export const CustomTemplate = enumeration(
  'custom template',
  TEMPLATES as readonly [Template, ...Template[]],
);
export type CustomTemplate = t.TypeOf<typeof CustomTemplate>;

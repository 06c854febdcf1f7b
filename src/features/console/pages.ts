import type { PageForm } from './forms/page-form';
import type { Page } from './frame/page';
import type { FindFindings } from './overview/finding';
import { ask } from './pages/ask';
import { changes } from './pages/changes';
import { findWith } from './pages/find';
import { keys } from './pages/keys';
import { mine, mineWhy } from './pages/mine';
import { person } from './pages/person';
import { push } from './pages/push';
import { register } from './pages/register';
import { resource } from './pages/resource';
import { source } from './pages/source';
import { sources } from './pages/sources';
import { why } from './pages/why';
import { planForm, pushForm } from './pushing/push-forms';
import { keyForm } from './registering/key-form';
import { registerForm } from './registering/register-form';

/**
 * The pages about access and sources, of which the overview has the findings of other features. Another
 * feature declares its own pages (`Feature.pages`).
 */
export const pagesWith = (findings: readonly FindFindings[]): readonly Page[] => [
  findWith(findings),
  person,
  resource,
  why,
  changes,
  sources,
  source,
  push,
  register,
  keys,
  ask,
  mine,
  mineWhy,
];

/** The forms of these pages. */
export const forms: readonly PageForm[] = [planForm, pushForm, registerForm, keyForm];

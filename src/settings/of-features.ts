// Each feature with settings or constants has a line here (docs/recipes.md: Add a setting).
export { settings as retention } from '../features/retention/settings';
export { settings as reviews } from '../features/reviews/settings';
export { settings as signIn } from '../features/sign-in/settings';
export { settings as scim } from '../scim/settings';

// Each feature with settings or constants has a line here (docs/recipes.md: Add a setting).
export { mail } from '../features/reviews/mail/settings';

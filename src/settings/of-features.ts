// Each feature with settings or constants has a line here (docs/recipes.md: Add a setting).
export { settings as reviews } from '../features/reviews/settings';

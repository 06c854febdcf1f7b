/**
 * Whether an `action` is one of policies. The others are orders of reviews: their review says what became
 * of them (docs/reviews.md: Sending revokes over SCIM).
 */
export const OF_POLICY = 'action.review IS NULL';

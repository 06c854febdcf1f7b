/** The header with which a client confirms a large removal (docs/connectors.md: Removal guard). */
export const CONFIRM_REMOVAL = 'Grantgraph-Confirm-Removal';

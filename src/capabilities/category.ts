/** What capabilities are about. */
export const CAPABILITY_CATEGORIES = ['agent', 'findings', 'runs', 'resources'] as const;
export type CapabilityCategory = (typeof CAPABILITY_CATEGORIES)[number];

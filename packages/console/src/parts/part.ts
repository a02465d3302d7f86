// The service can be served in parts, by one process or by several.

/** The parts that `rookery serve --parts` may name. */
export const PARTS = ['api', 'tokens', 'link'] as const
export type Part = (typeof PARTS)[number]

// The Flocks of a caller as a condition.
import type { Scope } from './query.ts'

/** Values for IN of a scope that is not `all`: SQL has no empty list, and no id is an empty text. */
export const scopeIds = (scope: Scope): readonly string[] =>
  scope === 'all' || scope.length === 0 ? [''] : scope

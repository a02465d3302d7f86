// The annotations of an incident as people and programs see them: name to text and link (behaviour 5).
import { findAnnotation } from '@rookery/tokens/annotations.ts'

/** `names` as the incident keeps them, separated by commas; a name that is no longer known is left out. */
export function matchedAnnotations(names: string): Record<string, string[]> {
  if (names === '') return {}
  const known = names
    .split(',')
    .map(findAnnotation)
    .filter((annotation) => annotation !== undefined)
  return Object.fromEntries(known.map(({ name, text, kb_link }) => [name, [text, kb_link]]))
}

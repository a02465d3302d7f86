// The annotations of an incident as answers and alerts show them: name to text and link.
import { findAnnotation } from '@rookery/tokens/annotations.ts'

/** `names` as the incident stores them, separated by commas; a name that no longer exists is left out. */
export function matchedAnnotations(names: string): Record<string, string[]> {
  if (names === '') return {}
  const found = names
    .split(',')
    .map(findAnnotation)
    .filter((annotation) => annotation !== undefined)
  return Object.fromEntries(found.map(({ name, text, kb_link }) => [name, [text, kb_link]]))
}

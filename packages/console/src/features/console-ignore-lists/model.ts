// Checks of the names that this group takes: host names and annotations.
import { invalidParameter } from '@rookery/kernel/fault.ts'
import { annotations, findAnnotation, type Annotation } from '@rookery/tokens/annotations.ts'
import { hostName } from '../../addresses/host-list.ts'

/** The host name in its canonical spelling; anything else is a `bad-input`. */
export function checkedHostName(text: string): string {
  const name = hostName(text)
  if (name !== undefined) return name
  throw invalidParameter('hostname', `must be a host name, not ${JSON.stringify(text.slice(0, 80))}`)
}

/** The annotation of that name; an unknown one is a `bad-input` that lists all names. */
export function checkedAnnotation(text: string): Annotation {
  const annotation = findAnnotation(text.trim())
  if (annotation) return annotation
  const names = annotations.map(({ name }) => name).join(', ')
  throw invalidParameter('annotation', `must be one of ${names}, not ${JSON.stringify(text.slice(0, 80))}`)
}

export const annotationView = ({ kb_link, name, nice_name, text }: Annotation) => ({
  kb_link,
  name,
  nice_name,
  text,
})

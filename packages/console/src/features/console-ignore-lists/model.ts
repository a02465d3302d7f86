// Names that this group takes: of hosts, and of annotations.
import { Fault } from '@rookery/kernel/fault.ts'
import { annotations, findAnnotation, type Annotation } from '@rookery/tokens/annotations.ts'
import { hostName } from '../../net/host-list.ts'

/** The host name in the spelling by which it is known, or a `bad-input`. */
export function checkedHostName(text: string): string {
  const name = hostName(text)
  if (name !== undefined) return name
  throw new Fault('bad-input', 'Parameter hostname was invalid.', {
    details: { hostname: `must be a host name, not ${JSON.stringify(text.slice(0, 80))}` },
  })
}

/** The annotation of that name; a `bad-input` that says which there are. */
export function checkedAnnotation(text: string): Annotation {
  const annotation = findAnnotation(text.trim())
  if (annotation) return annotation
  const names = annotations.map(({ name }) => name).join(', ')
  throw new Fault('bad-input', 'Parameter annotation was invalid.', {
    details: { annotation: `must be one of ${names}, not ${JSON.stringify(text.slice(0, 80))}` },
  })
}

export const annotationView = ({ kb_link, name, nice_name, text }: Annotation) => ({
  kb_link,
  name,
  nice_name,
  text,
})

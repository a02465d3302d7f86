// In which format the alerts of a receiver are sent: what was asked for, checked, as it is kept.
import { type Fault, invalidParameter } from '@rookery/kernel/fault.ts'
import { chatFormats, formatAt, serviceOf } from '../../formats/formats.ts'
import { checkedTemplate } from '../../formats/template.ts'
import type { Receiver } from '../../receiver.ts'

/** Our own: the payload, as programs read it. */
export const OWN = 'rookery'
const TEMPLATE = 'template'

/** The settings of a receiver; what does not go together is a `bad-input`. */
export function checkedFormat(
  href: string,
  asked: string,
  template: string | undefined,
): Receiver['settings'] {
  const found = formatAt(href)
  const format = asked === 'auto' ? (template === undefined ? (found?.name ?? OWN) : TEMPLATE) : asked
  if (format === TEMPLATE) {
    if (template === undefined) throw wrong('template', 'is missing; the format template sends it')
    return { format, template: checkedTemplate(template) }
  }
  if (template !== undefined)
    throw wrong('template', `is not sent in the format ${format}; leave one of them out`)
  if (found?.isCertain && format !== found.name)
    throw wrong(
      'format',
      `is ${format}, but the URL is of ${serviceOf(found.name)}, which takes messages of its own form: it must be ${found.name}, auto or template`,
    )
  const refusal = chatFormats.get(format)?.refusal?.(new URL(href))
  if (refusal !== undefined) throw wrong('url', refusal)
  return { format }
}

/** The format of a receiver; those of earlier releases have none but ours. */
export const formatOf = ({ settings }: Pick<Receiver, 'settings'>): string => settings['format'] ?? OWN

/** Whether its messages show passwords that intruders tried: by option, and where the owner says what a message is. */
export const sendsPasswords = (receiver: Pick<Receiver, 'settings'>): boolean =>
  !chatFormats.has(formatOf(receiver)) || receiver.settings['passwords'] === 'yes'

const wrong = (parameter: string, reason: string): Fault => invalidParameter(parameter, reason)

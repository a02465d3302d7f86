// Where people are sent from a message: to the page of its incident, else to the console's first page.
import type { Message } from './message.ts'

export interface Link {
  readonly title: 'Open the incident' | 'Open the console'
  readonly url: string
}

/** Undefined without a console's address for people, and for a message about no incident in particular. */
export function incidentUrl(message: Message): string | undefined {
  const { consoleUrl } = message
  if (consoleUrl === '' || !('incident' in message) || message.incident.hash === '') return undefined
  const url = new URL(consoleUrl)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/incidents/${message.incident.hash}`
  url.search = ''
  return url.href
}

/** Undefined without a console's address for people. */
export function linkOf(message: Message): Link | undefined {
  const url = incidentUrl(message)
  if (url !== undefined) return { title: 'Open the incident', url }
  return message.consoleUrl === '' ? undefined : { title: 'Open the console', url: message.consoleUrl }
}

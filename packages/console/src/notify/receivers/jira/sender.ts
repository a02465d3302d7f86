import type { OutboundAnswer } from '@rookery/kernel/world.ts'
import { quoted } from '../../message/facts.ts'
import { answered, SAID } from '../../senders/http.ts'
import { notSent, type Sender, type SenderDeps, type Target } from '../../senders/sender.ts'
import { basic, openTickets, Refused, type Desk } from '../../senders/tickets.ts'
import { comment, issueFields } from './message.ts'

export const openSender = (deps: SenderDeps): Sender =>
  openTickets(deps, {
    headersOf: ({ secret, settings }) => ({
      authorization: basic(settings['email'] ?? '', secret),
      accept: 'application/json',
    }),
    deskOf,
    explained,
  })

const API = '/rest/api/3'

interface Issue {
  readonly key?: string
  readonly fields?: { readonly status?: Status }
}

interface Status {
  readonly statusCategory?: { readonly key?: string }
}

const isDone = (status: Status | undefined): boolean => status?.statusCategory?.key === 'done'

function deskOf({ settings }: Target): Desk {
  const { project = '', issue_type = '' } = settings
  return {
    async find(ask, id) {
      const jql = `project = "${project}" AND labels = "rookery-${id}"`
      const query = new URLSearchParams({ jql, fields: 'status', maxResults: '1' })
      const { issues } = answered(await ask({ path: `${API}/search/jql?${query.toString()}` }))
      const [issue] = Array.isArray(issues) ? (issues as Issue[]) : []
      return issue?.key === undefined ? undefined : { key: issue.key, isClosed: isDone(issue.fields?.status) }
    },
    create: (ask, id, message) =>
      ask({
        method: 'POST',
        path: `${API}/issue`,
        body: {
          fields: {
            project: { key: project },
            issuetype: { name: issue_type },
            labels: ['rookery', `rookery-${id}`],
            ...issueFields(message),
          },
        },
      }),
    comment: (ask, { key }, text) =>
      ask({ method: 'POST', path: `${API}/issue/${encodeURIComponent(key)}/comment`, body: comment(text) }),
    async close(ask, { key }) {
      const path = `${API}/issue/${encodeURIComponent(key)}/transitions`
      const { transitions } = answered(await ask({ path }))
      const all = Array.isArray(transitions) ? (transitions as { id?: string; to?: Status }[]) : []
      const done = all.find(({ to }) => isDone(to))
      if (done?.id === undefined) throw new Refused(notSent(NO_WAY))
      await ask({ method: 'POST', path, body: { transition: { id: done.id } } })
    },
  }
}

const NO_WAY =
  'The account may take the issue to no status of the category Done; change the workflow, or add the receiver without close_acknowledged.'

/** Its words, and what to do. */
function explained(answer: OutboundAnswer): string {
  const { errorMessages, errors } = answered(answer)
  const named = typeof errors === 'object' && errors !== null ? Object.entries(errors) : []
  const said = [
    ...(Array.isArray(errorMessages) ? (errorMessages as unknown[]).map(String) : []),
    ...named.map(([field, words]) => `${field}: ${String(words)}`),
  ]
  const words = said.join('; ')
  if (answer.status === 401)
    return quoted(`${words || 'it does not know the account'}; check email and token`, SAID)
  if (answer.status === 403)
    return quoted(`${words || 'the account may not'}; let it work in the project`, SAID)
  return quoted(words, SAID)
}

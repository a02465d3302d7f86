import { invalidParameter } from '@rookery/kernel/fault.ts'
import { describeWebhook } from '../../receiver-kind.ts'
import { parseReceiverUrl } from '../../receiver-url.ts'

interface Given {
  readonly url: string
  readonly email: string
  readonly token: string
  readonly project: string
  readonly issue_type?: string | undefined
  readonly close_acknowledged?: boolean | undefined
}

const TYPE = 'Task'

export const descriptor = describeWebhook({
  kind: 'jira',
  title: 'Jira',
  help: 'An issue in a project of Jira Cloud for each incident, by an account that may browse the project, create and transition issues, and add comments. What becomes of the incident is said in the issue, at most once an hour. More than 60 a minute become one issue, the digest.',
  followsStates: true,
  parse({ url: given, email, token, project, issue_type = TYPE, close_acknowledged = false }: Given) {
    const url = parseReceiverUrl(given)
    const base = new URL(url.href)
    if (base.search !== '' || base.pathname.replace(/\/+$/, '') !== '')
      throw invalidParameter('url', 'must be the address of the site alone, without a path')
    if (!/^[\x21-\x39\x3b-\x7e]+@[\x21-\x39\x3b-\x7e]+$/.test(email))
      throw invalidParameter('email', 'must be an e-mail address')
    if (!/^[\x21-\x7e]+$/.test(token))
      throw invalidParameter('token', 'must be an API token: visible ASCII text without spaces')
    if (!/^[A-Z][A-Z0-9_]+$/i.test(project))
      throw invalidParameter('project', 'must be the key of a project: letters, digits and _')
    if (issue_type.trim() === '') throw invalidParameter('issue_type', 'must be the name of a type of issues')
    const key = project.toUpperCase()
    return {
      url: { ...url, given: base.origin, href: `${base.origin}/browse/${key}` },
      secret: token,
      settings: { email, project: key, issue_type, closes: close_acknowledged ? 'yes' : 'no' },
    }
  },
  view: ({ webhookId, url, settings }) => ({
    webhook_id: webhookId,
    url,
    email: settings['email'] ?? '',
    project: settings['project'] ?? '',
    issue_type: settings['issue_type'] ?? TYPE,
    close_acknowledged: settings['closes'] === 'yes',
  }),
  info: { field: 'jira', holds: 'many' },
})

// The kinds of receivers as forms: how one of each is added and tested, from its own operations.
import { consoleNotifications } from '@rookery/contract/groups/console-notifications.ts'
import { flockChats } from '@rookery/contract/groups/flock-chats.ts'
import { flockNotifications } from '@rookery/contract/groups/flock-notifications.ts'
import type { receiverOverview } from '@rookery/contract/groups/receiver-overview.ts'
import { formFields } from '@rookery/contract/form-fields.ts'
import type { Answer, Group, Operation } from '@rookery/contract/operation.ts'
import type { ReceiverDeps, ReceiverKind } from '../../notify/receiver-kind.ts'
import { NOT_CONFIGURED, type ChatDeps } from '../../notify/chat-app.ts'
import { receiverKinds } from '../../notify/receivers.gen.ts'

type Kind = Answer<typeof receiverOverview.kinds>['kinds'][number]
type Form = NonNullable<Kind['add']>

/** What every form leaves out: the Flock is chosen beforehand, and a form is about one that is new. */
type Deps = ReceiverDeps & ChatDeps

const NO_FIELDS = ['flock_id', 'webhook_id', 'enabled', 'clear']

export const kindViews = (deps: Deps): Kind[] =>
  Object.values(receiverKinds)
    .map((kind) => view(kind, deps))
    .toSorted((a, b) => (a.title < b.title ? -1 : 1))

function view({ descriptor, routes }: ReceiverKind, deps: Deps): Kind {
  const { kind, title, help, takes } = descriptor
  const refusal = deps.notifier.refusal(kind) ?? ''
  const common = { kind, title, help, takes }
  if (descriptor.madeBy === 'recipient-list') {
    const { list, parameter, notConfigured } = descriptor
    const of = (group: Group, end: string): Form | null => form(Object.values(group), `/${end}`)
    return {
      ...common,
      lacks: deps.notifier.isConfigured(kind) ? refusal : notConfigured,
      add: of(flockNotifications, list),
      test: of(flockNotifications, `${list}/test`),
      authorise: null,
      add_everywhere: of(consoleNotifications, list),
      test_everywhere: of(consoleNotifications, `${list}/test`),
      list: { name: list, parameter },
    }
  }
  const own = (routes?.(deps) ?? [])
    .map(({ operation }) => operation)
    .filter(({ method }) => method === 'POST')
  const [base = ''] = own.map(({ path }) => path.replace(/\/[^/]*$/, ''))
  const authorise = form(
    Object.values(flockChats).filter(({ path }) => path.startsWith(`${base}/`)),
    '/authorise',
  )
  return {
    ...common,
    lacks: authorise && !deps.chatProvider() ? NOT_CONFIGURED : refusal,
    add: form(own, '/add'),
    test: form(own, '/test'),
    authorise,
    add_everywhere: null,
    test_everywhere: null,
    list: null,
  }
}

function form(operations: readonly Operation[], end: string): Form | null {
  const operation = operations.find(({ path }) => path.endsWith(end))
  return operation ? { path: operation.path, fields: formFields(operation, NO_FIELDS) } : null
}

// Slack: a token of a user who does nothing else is planted, and the workspace's access logs show who uses it.
import { Fault, invalidParameter } from '@rookery/kernel/fault.ts'
import { textOf } from '../../provider-call.ts'
import { provider, type ProvisionRequest } from '../../provider.ts'
import { ownAgent, pollLogins, readLogins } from './access-logs.ts'
import { meaningOf, slackCaller } from './api.ts'
import { descriptor } from './descriptor.ts'

/** The setting that holds the token to plant. */
const PLANTED = 'chatops_token'

export default provider(descriptor, ({ world, options }) => {
  const adminToken = options.ROOKERY_SLACK_ADMIN_TOKEN
  const call = slackCaller(world, options.ROOKERY_SLACK_URL)

  async function identify(token: string, userAgent?: string): Promise<Readonly<Record<string, unknown>>> {
    const { error, json } = await call({
      method: 'auth.test',
      token,
      ...(userAgent !== undefined && { userAgent }),
    })
    if (error === undefined) return json
    throw new Fault('bad-input', `Slack refuses the token: ${meaningOf(error)}.`)
  }

  async function admin(): Promise<string> {
    try {
      return textOf(await identify(adminToken), 'team_id')
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'bad-input') throw error
      throw new Fault('conflict', `${error.message.replace('the token', 'ROOKERY_SLACK_ADMIN_TOKEN')}`)
    }
  }

  return {
    async provision({ settings, derive }: ProvisionRequest) {
      const planted = textOf(settings, PLANTED)
      const teamId = await admin()
      // A workspace that shows no logs is found out now, not when an intruder comes.
      await readLogins(call, adminToken, Math.floor(world.clock.now() / 1_000))
      const user = await identify(planted, ownAgent(derive)).catch((error: unknown) => {
        if (error instanceof Fault && error.code === 'bad-input') throw wrongToken(error.message)
        throw error
      })
      if (textOf(user, 'team_id') !== teamId)
        throw wrongToken(
          `It is of the workspace ${textOf(user, 'team')}, whose access logs ROOKERY_SLACK_ADMIN_TOKEN does not show.`,
        )
      return {
        remoteId: textOf(user, 'user_id'),
        handle: planted,
        issued: { user: textOf(user, 'user'), team: textOf(user, 'team'), workspace: textOf(user, 'url') },
      }
    },

    async revoke({ handle, derive }) {
      // The answer of its creation was lost: the operator has the token, and nothing was made.
      if (handle === '') return
      const { error } = await call({
        method: 'auth.revoke',
        token: handle,
        userAgent: ownAgent(derive),
      })
      if (error === undefined || ENDED.includes(error)) return
      throw new Fault('unavailable', `Slack does not revoke the token: ${meaningOf(error)}.`)
    },

    poll: (request) => pollLogins(call, adminToken, request, world.clock.now()),
  }
})

/** What Slack says of a token that is no more. */
const ENDED = ['invalid_auth', 'token_revoked', 'token_expired', 'account_inactive']

const wrongToken = (reason: string): Fault => invalidParameter(PLANTED, reason)

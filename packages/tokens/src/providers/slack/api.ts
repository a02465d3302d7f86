// Slack's Web API: a form in, a JSON object with `ok` out.
import { byWord } from '@rookery/kernel/by-word.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { callProvider, reasonText } from '../../provider-call.ts'
import type { ProviderWorld } from '../../provider.ts'

export interface SlackAnswer {
  /** Slack's word for what was wrong; undefined where the call succeeded. */
  readonly error: string | undefined
  readonly json: Readonly<Record<string, unknown>>
}

export interface SlackCall {
  readonly method: string
  readonly token: string
  readonly params?: Readonly<Record<string, string>>
  readonly userAgent?: string
}

export type CallSlack = (call: SlackCall) => Promise<SlackAnswer>

/** `base` is the address in front of the methods. A `ratelimited` answer is `unavailable`, as every failure of the server. */
export const slackCaller =
  (world: ProviderWorld, base: string): CallSlack =>
  async ({ method, token, params = {}, userAgent }) => {
    const { status, json } = await callProvider(world, 'Slack', {
      url: `${base.replace(/\/+$/, '')}/${method}`,
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/x-www-form-urlencoded',
        ...(userAgent !== undefined && { 'user-agent': userAgent }),
      },
      body: new URLSearchParams(params).toString(),
    })
    if (json['ok'] === true) return { error: undefined, json }
    if (json['ok'] === false) return { error: reasonText(json['error']), json }
    throw new Fault('unavailable', `Slack answered ${method} with ${status}, which cannot be read.`)
  }

/** What Slack's words mean, and what to do; others are shown as they are. */
const MEANINGS = byWord<string>({
  paid_only: 'the workspace has no paid plan, and Slack keeps access logs for paid ones alone',
  over_pagination_limit: 'it shows no older pages',
  missing_scope: 'the token lacks the scope admin',
  not_allowed_token_type: 'the token is not a user token of an admin',
  not_authed: 'no token was sent',
  invalid_auth: 'the token is not valid',
  token_revoked: 'the token was revoked',
  token_expired: 'the token has expired',
  account_inactive: 'the user of the token was deactivated',
})

export const meaningOf = (error: string): string =>
  error in MEANINGS ? `${MEANINGS[error]} (${error})` : error

// A console on which every example of the contract works: whatever it may ask outside is there, and pleased.
import { STAND_INS } from '@rookery/contract/examples.ts'
import type { Example, Operation } from '@rookery/contract/operation.ts'
import { SESSION_COOKIE } from '@rookery/kernel/session-cookie.ts'
import type { EngineName } from '../src/db/query.ts'
import { writeSetting } from '../src/stores/settings/store.ts'
import { makePasskey, signWith } from './authenticator.ts'
import { addApp, addPasskey, codeAt, optionsOf, originOf } from './factors.ts'
import { mqttEverywhere } from './mqtt-broker.ts'
import { askAs, signIn, type Halves } from './person.ts'
import { plantAgain } from './seed.ts'
import { openTestConsole, type TestConsole } from './test-console.ts'

export const openExemplary = (engine: EngineName, lasts: 'test' | 'group' = 'test'): Promise<TestConsole> =>
  openTestConsole({
    engine,
    lasts,
    env: {
      ROOKERY_CHATOPS_CLIENT_ID: '1234.5678',
      ROOKERY_CHATOPS_CLIENT_SECRET: 'b1946ac92492d2347c6235b4d2611184',
      ROOKERY_SMS_URL: 'https://sms.example.com/',
      ROOKERY_ASSETINV_URL: 'https://assets.example.com/export',
    },
    world: {
      outbound: {
        send: ({ url }) =>
          Promise.resolve(
            url.endsWith('/_bulk')
              ? { status: 200, headers: {}, body: '{"errors":false,"items":[{"create":{"status":201}}]}' }
              : url.endsWith('/oauth2/v2.0/token')
                ? { status: 200, headers: {}, body: '{"access_token":"eyJ0","expires_in":3599}' }
                : { status: 204, headers: {}, body: '' },
          ),
      },
      outboundStream: mqttEverywhere(),
      mail: { send: () => Promise.resolve({ refused: [] }) },
    },
  })

interface CalledAs {
  readonly headers: Record<string, string>
  readonly params: Example
}

/** How a person calls it: an admin with the factors that the operation speaks of, and codes that work now. */
export async function calledAs(
  rookery: TestConsole,
  { path }: Operation,
  params: Example,
): Promise<CalledAs> {
  const { admin_email: email = '' } = await plantAgain(rookery, {}, ['admin_email'])
  const { halves } = await signIn(rookery, { email })
  const answer = async (asked: Halves, fills: Record<string, string> = {}): Promise<CalledAs> => ({
    headers: {
      Cookie: `${SESSION_COOKIE}=${asked.cookie}`,
      'X-Rookery-Page': asked.page ?? '',
    },
    params: Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, fills[String(value)] ?? value]),
    ),
  })
  if (path === '/me/totp/confirm') {
    const { json } = await askAs(rookery, halves, 'POST', '/me/totp/begin')
    return answer(halves, { '{new_totp_code}': codeAt(rookery, String(json['secret'])) })
  }
  if (path === '/me/passkeys/add') {
    const options = await optionsOf(rookery, halves, '/me/passkeys/options')
    return answer(halves, { '{passkey_attestation}': makePasskey(options, originOf(rookery)).response })
  }
  if (path === '/session/passkey/verify') {
    const { passkey } = await addPasskey(rookery, halves)
    const options = await optionsOf(rookery, {}, '/session/passkey/options')
    return answer({}, { '{passkey_assertion}': signWith(passkey, options, originOf(rookery)) })
  }
  if (path === '/me/passkeys/remove') {
    const { passkey } = await addPasskey(rookery, halves)
    return answer(halves, { '{passkey_id}': passkey.id })
  }
  if (/^\/(session\/(totp|recovery)|me\/totp\/remove|me\/recovery_codes)$/.test(path)) {
    const { secret, codes } = await addApp(rookery, halves)
    const { halves: pending } = path.startsWith('/session/') ? await signIn(rookery, { email }) : { halves }
    return answer(pending, {
      '{totp_code}': codeAt(rookery, secret),
      '{recovery_code}': codes[0] ?? '',
    })
  }
  return answer(path === '/session/passkey/options' ? {} : halves)
}

/** Whether a person, or nobody, calls it, and no key. */
export const isForPeople = ({ role, path }: Operation): boolean =>
  role === 'person' || /^\/session\/(totp|recovery|passkey\/)/.test(path)

/** Kinds of receivers that are known apart by their id have a stand-in for it. */
const isById = (kind: string): boolean => Object.hasOwn(STAND_INS, `${kind}_id`)

/** Makes room for the next example: one is the switch of the whole API; another receiver than the seed's is there once. */
export async function tidyUp(rookery: TestConsole, path: string, params: Example): Promise<void> {
  if (path === '/settings/api/disable')
    await rookery.console.base.writer.write((tx) => writeSetting(tx, 'api_enabled', 'true'))
  const [, folder] = /\/webhooks\/([\w-]+)\/add$/.exec(path) ?? []
  if (folder === undefined) return
  const kind = folder.replaceAll('-', '_')
  const flock_id = String(params['flock_id'])
  const remove = path.replace(/add$/, 'remove')
  if (isById(kind)) {
    const { json } = await rookery.get(path.replace(/add$/, 'list'), { flock_id })
    const { webhook_id = '' } = (json[kind] as unknown as readonly { webhook_id: string }[]).at(-1) ?? {}
    await rookery.post(remove, { flock_id, webhook_id })
  } else if (typeof params['url'] === 'string') await rookery.post(remove, { flock_id, url: params['url'] })
}

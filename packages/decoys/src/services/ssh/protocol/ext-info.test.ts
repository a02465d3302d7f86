// What the versions from 9.6 on read and say of extensions, and what earlier ones say to the same.
import { afterEach, expect, test } from 'vitest'
import { message, string, u32 } from './codec/fields.ts'
import { MSG } from './codec/messages.ts'
import { extInfo } from './ext-info.ts'
import { openClient, usualOffer } from '../../../../lab/ssh/client.ts'
import { openDecoy, withoutDelays } from '../../../../lab/ssh/decoy.ts'
import * as requests from '../../../../lab/ssh/requests.ts'
import { versions } from '../products/openssh/versions/all.ts'
import { SIGNATURES } from './version.ts'

let decoy: Awaited<ReturnType<typeof openDecoy>>
afterEach(() => decoy?.host.close())

const versionOf = (release: string) => versions.find(({ software }) => software.includes(release))!

/** What a client is sent that says this after the key exchange. */
async function answers(release: string, said: readonly Buffer[], offer = usualOffer): Promise<string[]> {
  decoy = await openDecoy({ ...withoutDelays, version: versionOf(release), banner: 'Keep out' })
  const client = await openClient(decoy.port)
  await client.exchange(offer)
  for (const payload of said) client.send(payload)
  client.end()
  return client.rest()
}

const WANTS = extInfo([['ext-info-in-auth@openssh.com', '0']])
const LOGIN = [requests.serviceRequest('ssh-userauth'), requests.none('root'), requests.none('root')]
const ACCEPTED = 'service-accept ssh-userauth'
const BANNER = 'auth-banner "Keep out\\n"'
const FAILURE = 'auth-failure publickey,password false'

test.each(['9.6p1', '10.0p2'])('%s names its signatures once more to a client that asks', async (release) => {
  expect(await answers(release, [WANTS, ...LOGIN])).toEqual([
    ACCEPTED,
    BANNER,
    `ext-info server-sig-algs=${SIGNATURES}`,
    FAILURE,
    FAILURE,
    'closed',
  ])
})

test('a client that does not ask gets nothing more; a second message of this kind is one that nobody expects', async () => {
  const silent = extInfo([['no-flow-control', 'p']])
  expect(await answers('9.6p1', [silent, ...LOGIN])).toEqual([ACCEPTED, BANNER, FAILURE, FAILURE, 'closed'])
  expect((await answers('9.6p1', [WANTS, WANTS]))[0]).toMatch(/^unimplemented \d+$/)
  const offer = { ...usualOffer, kex: usualOffer.kex.filter((name) => name !== 'ext-info-c') }
  expect((await answers('9.6p1', [WANTS], offer))[0]).toMatch(/^unimplemented \d+$/)
})

test('a malformed one closes the connection', async () => {
  const cut = message(MSG.extInfo, u32(1), string('ext-info-in-auth@openssh.com'))
  const tooMany = message(MSG.extInfo, u32(1_024))
  for (const wrong of [cut, tooMany, Buffer.concat([WANTS, Buffer.from([0])])])
    expect(await answers('9.6p1', [wrong, ...LOGIN])).toEqual(['closed'])
})

test('9.2p1 does not expect it', async () => {
  expect((await answers('9.2p1', [WANTS]))[0]).toMatch(/^unimplemented \d+$/)
})

test('a ping is read and not answered from 9.6p1 on; before, its number is an error', async () => {
  const ping = message(MSG.ping, string('hello'))
  const [request] = LOGIN
  for (const release of ['9.6p1', '10.0p2'])
    expect(await answers(release, [ping, request!])).toEqual([ACCEPTED, 'closed'])
  expect(await answers('9.6p1', [message(MSG.ping, u32(9)), request!])).toEqual(['closed'])
  expect(await answers('9.2p1', [ping])).toEqual(['disconnect 2 Invalid ssh2 packet type: 192', 'closed'])
})

// What the mode `samba` opens, whom it lets in, and what it reports.
import { expect, test } from 'vitest'
import { deriveFrom, SERVED_BIRD } from '../../../../../test/session-context.ts'
import { storyOf } from '../../../../machine/story.ts'
import service from '../../service.ts'
import { readBody } from '../../../../../lab/smb/samba/bodies.ts'
import {
  connectTo,
  create,
  act,
  fileOf,
  login,
  negotiate,
  type Act,
} from '../../../../../lab/smb/samba/client.ts'
import { replaySamba, served } from '../../../../../lab/smb/samba/replay.ts'
import { sambaMachine } from './machine.ts'

const HASH = Buffer.alloc(16, 7)
const machine = sambaMachine(served(), deriveFrom(SERVED_BIRD))
const statuses = (text: string): string[] => text.split('\n').map((line) => line.split(' ')[1] ?? '')

test('smbd listens at 445 and 139, nmbd at 137 and 138, and nothing else listens', () => {
  const ports = service.listeners(served()).map(({ transport, port }) => `${port}/${transport}`)
  expect(ports).toEqual(['445/tcp', '139/tcp', '137/udp', '138/udp'])
})

test('the machine is none of Windows, and its NetBIOS name is its own in capitals', () => {
  const { kind, hostName } = storyOf(served(), deriveFrom(SERVED_BIRD))
  expect(kind).toBe('linux')
  expect(machine.netbiosName).toBe(hostName.toUpperCase())
  const named = sambaMachine(served({ 'smb.netbiosname': 'files' }), deriveFrom(SERVED_BIRD))
  expect(named.netbiosName).toBe('FILES')
})

test('a stranger is a guest; a user of the machine has another password', () => {
  const ask = (user: string): string[] =>
    statuses(replaySamba([negotiate(), ...login({ user, ntHash: HASH })]).text)
  expect(ask('stranger').at(-1)).toBe('0')
  expect(ask(machine.users[0]!).at(-1)).toBe('c000006d')
})

test('without guests a stranger has a wrong password, and nobody reads the share', () => {
  const closed = served({ 'smb.guest.enabled': false })
  const stranger = replaySamba([negotiate(), ...login({ user: 'stranger', ntHash: HASH })], closed)
  expect(statuses(stranger.text).at(-1)).toBe('c000006d')
  const nobody = replaySamba([negotiate(), ...login({ user: '' }), connectTo('Documents')], closed)
  expect(statuses(nobody.text).at(-1)).toBe('c0000022')
})

test('a login, the share, and a file that is read are reported', () => {
  const script: Act[] = [
    negotiate(),
    ...login({ user: 'bob', domain: 'CORP', ntHash: HASH }),
    connectTo('Documents'),
    create('readme.txt'),
    act('read', 8, (client) => readBody(fileOf(client), 0, 10)),
  ]
  const { events } = replaySamba(script)
  expect(events.map(({ logtype }) => logtype)).toEqual(['5010', '5014', '5000', '5000'])
  expect(events[0]?.fields).toMatchObject({
    USER: 'bob',
    DOMAIN: 'CORP',
    LOCALNAME: machine.netbiosName,
    LOGINTYPE: 'NTLMv2',
    STATUS: 'STATUS_SUCCESS',
  })
  expect(events[3]?.fields).toMatchObject({
    USER: 'bob',
    FILENAME: 'readme.txt',
    AUDITACTION: 'read',
    SIZE: 10,
  })
})

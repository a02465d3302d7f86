// What tools learn of users and groups, and what is reported of it.
import { expect, test } from 'vitest'
import { deriveFrom, SERVED_BIRD } from '../../../../../../test/session-context.ts'
import { bindPdu } from '../../../../../../lab/smb/windows/rpc-client.ts'
import { connectTo, create, login, negotiate, type Act } from '../../../../../../lab/smb/samba/client.ts'
import {
  inDomain,
  lookupNames,
  lookupSids,
  openDomain,
  openPolicy,
} from '../../../../../../lab/smb/samba/directory-acts.ts'
import { replaySamba, served } from '../../../../../../lab/smb/samba/replay.ts'
import { transceive } from '../../../../../../lab/smb/samba/transceive.ts'
import { sambaMachine } from '../machine.ts'
import { nameOfSid, sidOfName } from './sid-names.ts'

const machine = sambaMachine(served(), deriveFrom(SERVED_BIRD))
const LSARPC = ['12345778-1234-abcd-ef00-0123456789ab', 0] as const
const SAMR = ['12345778-1234-abcd-ef00-0123456789ac', 1] as const

/** What is raised when a stranger asks this of a pipe, behind the connection to IPC$. */
function raised(pipe: string, [id, version]: typeof LSARPC | typeof SAMR, acts: readonly Act[]) {
  const { events } = replaySamba([
    negotiate(),
    ...login({ user: 'bob', ntHash: Buffer.alloc(16, 7) }),
    connectTo('IPC$'),
    create(pipe, { access: 0x0012019f }),
    transceive('bind', () => bindPdu(id, version)),
    ...acts,
  ])
  return events.filter(({ logtype }) => logtype === '5013').map(({ fields }) => fields['AUDITACTION'])
}

test.each([
  ['lookupnames', lookupNames(14, ['root', 'admin'], 1), 'LsarLookupNames'],
  ['lookupsids', lookupSids(15, ['S-1-22-1-1000'], 1), 'LsarLookupSids'],
])('%s of rpcclient is one event 5013 that names the operation', (_, act, operation) => {
  expect(raised('lsarpc', LSARPC, [openPolicy, act])).toEqual([operation])
})

test.each([
  ['enumdomgroups', 11, 'SamrEnumerateGroupsInDomain'],
  ['enumalsgroups', 15, 'SamrEnumerateAliasesInDomain'],
])('%s of rpcclient is an event 5013 behind that of the connection', (_, opnum, operation) => {
  const ask = inDomain(opnum, operation, Buffer.from('00000000ffff0000', 'hex'))
  const acts = [...openDomain('own', machine.netbiosName), ask]
  expect(raised('samr', SAMR, acts)).toEqual(['SamrConnect2', operation])
})

test('the users that a scanner counts up by number have names, and the next one has none', () => {
  const named = (parts: readonly number[], authority = 22) =>
    nameOfSid(machine, { authority, parts: [...parts] }, 'all')
  expect(named([1, 1_000])).toMatchObject({ name: 'admin' })
  machine.users.forEach((name, i) => {
    expect(named([1, 1_001 + i])).toMatchObject({ name })
    expect(named([...machine.sid, 1_000 + i], 5)).toMatchObject({ name })
  })
  expect(named([1, 1_001 + machine.users.length])).toMatchObject({
    name: String(1_001 + machine.users.length),
  })
  expect(named([...machine.sid, 1_000 + machine.users.length], 5)).not.toHaveProperty('use')
})

test.each(['constructor', '__proto__', 'toString', 'Unix User\\constructor', 'BUILTIN\\valueOf'])(
  'the name %s, which every object of JavaScript has, is nobody’s',
  (name) => {
    expect(sidOfName(machine, name, 'all')).toBeUndefined()
  },
)

// Questions about privileges and rights, as rpcclient asks them (enumprivs, lsaenumsid, lsaenumacctrights …), and broken ones.
import type { Draw } from '../../../test/draw.ts'
import { join, u16, u32, u8, zeros } from '../../../src/windows/fields.ts'
import { bindPdu, requestPdu } from '../windows/rpc-client.ts'
import { connectTo, create, login, negotiate, type Act } from './client.ts'
import { inDomain, openPolicy } from './directory-acts.ts'
import { transceive } from './transceive.ts'

const LSARPC = '12345778-1234-abcd-ef00-0123456789ab'
const DSSETUP = '3919286a-b10c-11d0-9ba8-00c04fd92ef5'

const aligned = (bytes: Buffer): Buffer => join(bytes, zeros(-bytes.length & 3))
/** An RPC_UNICODE_STRING whose buffer has no zero at its end. */
const text = (value: string): Buffer =>
  join(
    ...[2 * value.length, 2 * value.length].map(u16),
    ...(value === '' ? [u32(0)] : [u32(0x20000), u32(value.length), u32(0), u32(value.length)]),
    aligned(Buffer.from(value, 'utf16le')),
  )
function sid(value: string): Buffer {
  const [, , authority = '0', ...parts] = value.split('-')
  return join(
    u32(parts.length),
    u8(1),
    u8(parts.length),
    zeros(5),
    u8(Number(authority)),
    ...parts.map((part) => u32(Number(part))),
  )
}
const rights = (name: string): Buffer =>
  join(
    u32(1),
    u32(0x20004),
    u32(1),
    ...[2 * name.length, 2 * name.length].map(u16),
    u32(0x20008),
    u32(name.length),
    u32(0),
    u32(name.length),
    aligned(Buffer.from(name, 'utf16le')),
  )

const NAMES = [
  'SeMachineAccountPrivilege',
  'SeTakeOwnershipPrivilege',
  'SeBackupPrivilege',
  'SeRestorePrivilege',
  'SeRemoteShutdownPrivilege',
  'SePrintOperatorPrivilege',
  'SeAddUsersPrivilege',
  'SeDiskOperatorPrivilege',
  'SeSecurityPrivilege',
  'SeSystemtimePrivilege',
  'SeShutdownPrivilege',
  'SeDebugPrivilege',
  'SeSystemEnvironmentPrivilege',
  'SeSystemProfilePrivilege',
  'SeProfileSingleProcessPrivilege',
  'SeIncreaseBasePriorityPrivilege',
  'SeLoadDriverPrivilege',
  'SeCreatePagefilePrivilege',
  'SeIncreaseQuotaPrivilege',
  'SeChangeNotifyPrivilege',
  'SeUndockPrivilege',
  'SeManageVolumePrivilege',
  'SeImpersonatePrivilege',
  'SeCreateGlobalPrivilege',
  'SeEnableDelegationPrivilege',
  'SeTcbPrivilege',
  'sebackupprivilege',
  'SeNetworkLogonRight',
  'nope',
  '',
]
const SIDS = [
  'S-1-5-32-544',
  'S-1-5-32-545',
  'S-1-5-32-546',
  'S-1-5-32-547',
  'S-1-5-32-548',
  'S-1-5-32-549',
  'S-1-5-32-550',
  'S-1-5-32-551',
  'S-1-5-32-554',
  'S-1-1-0',
  'S-1-5-7',
  'S-1-5-11',
  'S-1-5-18',
  'S-1-22-1-0',
  'S-1-5',
  'S-1-5-21-1-2-3-500',
]
const LUIDS = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
  29, 30, 31, 32, 0x1000, 0x1001, 0x1002, 0x1003, 0x1004,
]

const MAXIMUM = 0x02000000
const EVERY_ACCESS = [MAXIMUM, 0x1, 0x20000, 0xf000f]

/** The last question of each script, which stands behind the opening of the policy. */
const asked: readonly Act[] = [
  ...[0, 1, 8, 9, 10, 0x80000000].flatMap((from) =>
    [0x1000, 0, 100, 0xffffffff].map((most) =>
      inDomain(2, `privileges from ${from} ${most}`, join(u32(from), u32(most))),
    ),
  ),
  ...[0, 1, 5, 6, 7].flatMap((from) =>
    [0x1000, 0, 2].map((most) => inDomain(11, `accounts from ${from} ${most}`, join(u32(from), u32(most)))),
  ),
  ...NAMES.map((name) => inDomain(31, `value of ${name}`, text(name))),
  ...LUIDS.map((low) => inDomain(32, `name of ${low}`, join(u32(low), u32(0)))),
  inDomain(32, 'name of a high one', join(u32(17), u32(1))),
  ...NAMES.flatMap((name) =>
    [0, 0x409].map((language) =>
      inDomain(33, `what ${name} is, ${language}`, join(text(name), u16(language), u16(0))),
    ),
  ),
  ...SIDS.map((value) => inDomain(36, `rights of ${value}`, sid(value))),
  ...['S-1-5-32-544', 'S-1-1-0', 'S-1-22-1-0'].flatMap((value) =>
    EVERY_ACCESS.map((access) => inDomain(17, `open ${value} ${access}`, join(sid(value), u32(access)))),
  ),
  ...['S-1-5-32-544', 'S-1-1-0', 'S-1-22-1-0'].map((value) =>
    inDomain(10, `create ${value}`, join(sid(value), u32(MAXIMUM))),
  ),
  ...['SeBackupPrivilege', 'nope'].flatMap((name) => [
    inDomain(37, `give ${name}`, join(sid('S-1-1-0'), rights(name))),
    inDomain(38, `take ${name}`, join(sid('S-1-1-0'), u32(0), rights(name))),
  ]),
  ...['SeBackupPrivilege', 'nope'].map((name) =>
    inDomain(35, `who has ${name}`, join(u32(0x20000), text(name))),
  ),
  ...[0, 1, 2, 4, 7, 8].map((parts) => inDomain(3, `security ${parts}`, u32(parts))),
  ...[0, 1].flatMap((from) =>
    [0, 100].map((most) => inDomain(13, `trusts from ${from} ${most}`, join(u32(from), u32(most)))),
  ),
  ...[2, 3, 10, 11, 13, 17, 31, 32, 33, 35, 36, 37, 38].map((opnum) =>
    inDomain(opnum, 'nothing behind the handle', zeros(0)),
  ),
]

const opened = (uuid: string): Act[] => [
  negotiate({ dialects: [0x0302] }),
  ...login({ user: 'bob', ntHash: Buffer.alloc(16, 7) }),
  connectTo('IPC$'),
  create('lsarpc', { access: 0x0012019f }),
  transceive('bind', () => bindPdu(uuid, 0)),
]

const ofAccount: readonly Act[] = [
  inDomain(18, 'privileges of the account', zeros(0)),
  inDomain(23, 'access of the account', zeros(0)),
]

/** Each is a connection. */
export const privilegeScripts: readonly (readonly Act[])[] = [
  ...asked.map((act) => [...opened(LSARPC), openPolicy, act]),
  ...['S-1-5-32-544', 'S-1-1-0', 'S-1-22-1-0'].flatMap((value) =>
    [MAXIMUM, 0x1].flatMap((access) =>
      ofAccount.map((act) => [
        ...opened(LSARPC),
        openPolicy,
        inDomain(17, `open ${value} ${access}`, join(sid(value), u32(access))),
        act,
      ]),
    ),
  ),
  ...[0, 1, 2, 3, 4].map((level) => [
    ...opened(DSSETUP),
    transceive(`role ${level}`, () => requestPdu(0, u16(level))),
  ]),
]

export const drawPrivilegeScript = (draw: Draw): readonly Act[] => draw.pick(privilegeScripts)

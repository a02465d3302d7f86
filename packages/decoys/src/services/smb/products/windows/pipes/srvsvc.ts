// The server service of Windows: what takes an administrator is refused.
import type { Machine } from '../machine.ts'
import { WIN32 } from '../../../protocol/pipes/rpc.ts'
import { SERVER_LEVELS, serverService, SHARE_LEVELS, type Share } from '../../../protocol/pipes/srvsvc.ts'
import { deniedEnum } from './denied-enum.ts'
import { answerTo, type RpcInterface } from './rpc.ts'

const DISK = 0
const IPC = 3
/** STYPE_SPECIAL: shares that Windows makes. */
const SPECIAL = 0x80000000

const shares = ({ share }: Machine): readonly Share[] => [
  { name: 'ADMIN$', type: SPECIAL + DISK, comment: 'Remote Admin' },
  { name: 'C$', type: SPECIAL + DISK, comment: 'Default share' },
  { name: 'IPC$', type: SPECIAL + IPC, comment: 'Remote IPC' },
  { name: share.name, type: DISK, comment: share.comment },
]

const refuse =
  (...forAdministrators: readonly number[]) =>
  (level: number): number =>
    forAdministrators.includes(level) ? WIN32.accessDenied : WIN32.invalidLevel

const service = serverService<Machine, Share>({
  answerTo,
  isStrict: false,
  shares,
  isSameName: (a, b) => a.toUpperCase() === b.toUpperCase(),
  levels: SHARE_LEVELS,
  levelsOfOne: {
    ...SHARE_LEVELS,
    1005: (to) => {
      to.u32(0)
      return []
    },
  },
  unknownShare: WIN32.netNameNotFound,
  shareRefusal: refuse(2, 502, 503),
  server: ({ names, edition, comment }) => ({
    name: names.netbiosComputer,
    comment,
    version: [10, 0],
    type: edition.serverType,
  }),
  serverLevels: SERVER_LEVELS,
  serverRefusal: refuse(102, 502, 503),
  clock: ({ uptimeMs }, now) => ({
    // As GetTickCount, which begins anew after 49.7 days.
    uptimeMs: uptimeMs(now) % 2 ** 32,
    hundredths: Math.floor(new Date(now).getUTCMilliseconds() / 10),
    tick: 310,
  }),
})

export const srvsvc: RpcInterface = {
  ...service,
  // Connections, files and sessions (3.1.4.1, 3.1.4.2, 3.1.4.5).
  operations: { ...service.operations, 8: deniedEnum, 9: deniedEnum, 12: deniedEnum },
}

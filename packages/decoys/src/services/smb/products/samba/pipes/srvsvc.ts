// The server service of Samba.
import { answerTo, type NdrWriter } from '../../../protocol/pipes/ndr.ts'
import { WIN32 } from '../../../protocol/pipes/rpc.ts'
import {
  SERVER_LEVELS,
  serverService,
  SHARE_LEVELS,
  type Levels,
  type Server,
  type Share,
} from '../../../protocol/pipes/srvsvc.ts'
import type { SambaMachine } from '../machine.ts'

interface Listed extends Share {
  readonly path: string
  readonly isHidden: boolean
}

const DISK = 0
const IPC = 0x80000003

/** Those of Debian's configuration, and the home of the guest's account, which Samba makes when a guest comes. */
const sharesOf = ({ share, comment }: SambaMachine): readonly Listed[] => [
  {
    name: 'print$',
    type: DISK,
    comment: 'Printer Drivers',
    path: 'C:\\var\\lib\\samba\\printers',
    isHidden: true,
  },
  {
    name: share.name,
    type: DISK,
    comment: share.comment,
    path: `C:\\srv\\samba\\${share.name.toLowerCase()}`,
    isHidden: false,
  },
  { name: 'IPC$', type: IPC, comment: `IPC Service (${comment})`, path: 'C:\\tmp', isHidden: true },
  { name: 'nobody', type: DISK, comment: 'Home Directories', path: 'C:\\nonexistent', isHidden: false },
]

const NO_LIMIT = 0xffffffff

function writeWithPath(to: NdrWriter, { name, type, comment, path }: Listed): readonly string[] {
  to.pointer()
  to.u32(type)
  to.pointer()
  for (const number of [0, NO_LIMIT, 0]) to.u32(number)
  to.pointer()
  to.pointer()
  return [name, comment, path, '']
}

/** Nobody uses any. */
const LEVELS: Levels<Listed> = {
  ...SHARE_LEVELS,
  2: writeWithPath,
  502: (to, share) => {
    const texts = writeWithPath(to, share)
    to.u32(0)
    to.u32(0)
    return texts
  },
  1004: (to, { comment }) => {
    to.pointer()
    return [comment]
  },
  1005: (to) => {
    to.u32(0)
    return []
  },
}

/** Of one share alone. */
const LEVELS_OF_ONE: Levels<Listed> = {
  ...LEVELS,
  1006: (to) => {
    to.u32(NO_LIMIT)
    return []
  },
  1007: (to) => {
    to.u32(0)
    to.pointer()
    return ['']
  },
}

/** Workstation, server, print queues, Unix, NT, NT server. */
const SERVER_TYPE = 0x00809a03
/** Users, minutes until they are disconnected, whether it hides, announcements each so many seconds and later, licenses. */
const SETTINGS = [0xffffffff, 15, 0, 240, 3_000, 100_000]

const SERVER: Levels<Server> = {
  ...SERVER_LEVELS,
  102: (to, server) => {
    const texts = SERVER_LEVELS[101](to, server)
    for (const number of SETTINGS) to.u32(number)
    to.pointer()
    return [...texts, 'C:\\']
  },
}

/** A level that can be asked for, and has nothing. */
const WITHOUT_CONTENT = 1_501

export const srvsvc = serverService<SambaMachine, Listed>({
  answerTo,
  isStrict: true,
  // What is hidden ends in a dollar.
  shares: (machine, isSticky) => sharesOf(machine).filter(({ isHidden }) => !isSticky || !isHidden),
  isSameName: (a, b) => a.toLowerCase() === b.toLowerCase(),
  levels: LEVELS,
  levelsOfOne: LEVELS_OF_ONE,
  branches: {
    share: new Set([0, 1, 2, 501, 502, 1004, 1005, 1006, 1007, WITHOUT_CONTENT]),
    server: new Set([100, 101, 102, 402, 403, 502, 503, 599, 1005, 1010]),
  },
  unknownShare: WIN32.invalidName,
  shareRefusal: (level, isOfOne) =>
    isOfOne && level === WITHOUT_CONTENT ? WIN32.success : WIN32.invalidLevel,
  server: ({ netbiosName, comment }) => ({
    name: netbiosName,
    comment,
    version: [6, 1],
    type: SERVER_TYPE,
  }),
  serverLevels: SERVER,
  serverRefusal: () => WIN32.invalidLevel,
  clock: () => ({ uptimeMs: 0, hundredths: 0, tick: 10_000 }),
})

// What hostile peers of SMB send to fill a Bird's memory.
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { COMMAND } from '../../../packages/decoys/src/services/smb/protocol/codec/header.ts'
import { queryDirectoryBody, readBody } from '../../../packages/decoys/lab/smb/windows/client.ts'
import { AGAIN_MS, dial, type Attack, type NamedAttack } from './attack.ts'
import { smbPeer, type SmbPeer } from './smb-peer.ts'

const KIBIBYTE = 1_024
const MEBIBYTE = 1_048_576

/** A file of the share that is long enough for whatever is read of it. */
export const LARGE_FILE = { name: 'Archive 2024.vhdx', type: 'file', size: 30_000_000_000 }

/** Keeps so many peers busy; one that is cut off comes again. Counts what `act` answers. */
const peers =
  (count: number, act: (socket: Socket, isOver: () => boolean) => Promise<number>): Attack =>
  async ({ decoys }, isOver) => {
    let made = 0
    const lane = async (): Promise<void> => {
      while (!isOver()) {
        const socket = await dial(decoys.smb)
        if (socket) {
          const done = await act(socket, () => isOver() || socket.destroyed).catch(() => 0)
          made += done
          socket.destroy()
        }
        await pause(AGAIN_MS)
      }
    }
    await Promise.all(Array.from({ length: count }, lane))
    return made
  }

async function untilOver(isOver: () => boolean): Promise<void> {
  while (!isOver()) await pause(50)
}

/** The largest message that is buffered, but for its last byte. */
const halfSent = peers(480, async (socket, isOver) => {
  const frame = Buffer.alloc(4 + 128 * KIBIBYTE, 0x41)
  frame.writeUInt32BE(frame.length - 4)
  socket.resume()
  socket.write(frame.subarray(0, -1))
  await untilOver(isOver)
  return 1
})

const READS = 16
const READ_CREDITS = 16

async function guest(socket: Socket): Promise<{ readonly peer: SmbPeer; readonly file: Buffer }> {
  const peer = smbPeer(socket)
  await peer.login('visitor')
  await peer.connect()
  return { peer, file: await peer.open(LARGE_FILE.name) }
}

const reads = ({ frame }: SmbPeer, file: Buffer, round: number): Buffer =>
  Buffer.concat(
    Array.from({ length: READS }, (_, n) =>
      frame(COMMAND.read, readBody(file, (READS * round + n) * MEBIBYTE, MEBIBYTE), READ_CREDITS),
    ),
  )

/** Reads of a mebibyte, many at once, whose answers are never taken. */
const unread = peers(64, async (socket, isOver) => {
  const { peer, file } = await guest(socket)
  socket.write(reads(peer, file, 0))
  await untilOver(isOver)
  return 1
})

/** The same, taken as fast as they come. */
const greedy = peers(16, async (socket, isOver) => {
  const { peer, file } = await guest(socket)
  let received = 0
  socket.on('data', ({ length }: Buffer) => (received += length))
  socket.resume()
  for (let round = 0; !isOver(); round += 1) {
    socket.write(reads(peer, file, round))
    while (!isOver() && received < round * READS * MEBIBYTE) await pause(1)
  }
  return received
})

/** As many sessions as a connection may have, with names as long as a message takes; then patterns as long. */
const names = peers(240, async (socket, isOver) => {
  const peer = smbPeer(socket)
  for (let session = 0; session < 16; session += 1) await peer.login('x'.repeat(9_000))
  await peer.connect()
  for (let n = 0; n < 48; n += 1) {
    const directory = await peer.open('')
    await peer.ask(COMMAND.queryDirectory, queryDirectoryBody(directory, 'x'.repeat(30_000)))
  }
  await untilOver(isOver)
  return 1
})

export const SMB_ATTACKS = {
  'smb-halves': { title: '480 half-sent messages of SMB', run: halfSent },
  'smb-unread': { title: '64 SMB peers that never take what they read', run: unread },
  'smb-greedy': { title: '16 SMB peers that read as fast as they can', run: greedy },
  'smb-names': { title: 'SMB sessions and searches with long names', run: names },
} satisfies Record<string, NamedAttack>

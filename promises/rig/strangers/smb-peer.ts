// A guest of a decoy's share over a socket: login, tree connect, open, and then whatever an attack sends.
import type { Socket } from 'node:net'
import { encodeFrame } from '../../../packages/decoys/src/services/smb/protocol/codec/frame.ts'
import { join, u16, utf16 } from '../../../packages/decoys/src/windows/fields.ts'
import {
  COMMAND,
  readHeader,
  writeHeader,
  type Header,
} from '../../../packages/decoys/src/services/smb/protocol/codec/header.ts'
import { createBody, negotiateBody, setupBody } from '../../../packages/decoys/lab/smb/windows/client.ts'
import {
  authenticateToken,
  initToken,
  innerToken,
  negotiateToken,
  responseToken,
} from '../../../packages/decoys/lab/windows/ntlm-client.ts'

const DIALECT = 0x0302
const CREDITS = 512
const SHARE = '\\\\192.0.2.1\\Documents'

export interface SmbPeer {
  /** The frame of a request; it takes the next message ids. */
  frame(command: number, body: Buffer, charge?: number): Buffer
  /** Sends it, and resolves with the first answer that comes: nothing else may be under way. */
  ask(command: number, body: Buffer): Promise<{ readonly header: Header; readonly body: Buffer }>
  /** A session more; the names are those that a client may make up. */
  login(user: string): Promise<void>
  connect(): Promise<void>
  open(name: string): Promise<Buffer>
}

export function smbPeer(socket: Socket): SmbPeer {
  let messageId = 0n
  let [sessionId, treeId] = [0n, 0]

  function frame(command: number, body: Buffer, creditCharge = 1): Buffer {
    const head = writeHeader({
      creditCharge,
      status: 0,
      command,
      credits: CREDITS,
      flags: 0,
      nextCommand: 0,
      messageId,
      asyncId: 0n,
      processId: 0,
      treeId,
      sessionId,
    })
    messageId += BigInt(creditCharge)
    return encodeFrame(join(head, body))
  }

  async function ask(command: number, body: Buffer) {
    socket.write(frame(command, body))
    const message = await nextMessage(socket)
    const header = readHeader(message)
    if (!header) throw new Error(`${message.toString('hex', 0, 16)} is no answer of SMB2.`)
    return { header, body: message.subarray(64) }
  }

  return {
    frame,
    ask,
    async login(user) {
      sessionId = 0n
      if (messageId === 0n) await ask(COMMAND.negotiate, negotiateBody([DIALECT]))
      const first = await ask(COMMAND.sessionSetup, setupBody(initToken(negotiateToken())))
      sessionId = first.header.sessionId
      const names = { user, domain: user, workstation: user, ntHash: Buffer.alloc(16, 7) }
      await ask(
        COMMAND.sessionSetup,
        setupBody(responseToken(authenticateToken(innerToken(first.body), names))),
      )
    },
    async connect() {
      const path = utf16(SHARE)
      const body = join(u16(9), u16(0), u16(72), u16(path.length), path)
      treeId = (await ask(COMMAND.treeConnect, body)).header.treeId
    },
    open: async (name) => Buffer.from((await ask(COMMAND.create, createBody(name))).body.subarray(64, 80)),
  }
}

/** The message of the next frame; rejects when the connection ends before it. */
function nextMessage(socket: Socket): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0)
    const ended = (): void => reject(new Error('The decoy closed the connection.'))
    const take = (bytes: Buffer): void => {
      received = Buffer.concat([received, bytes])
      if (received.length < 4 || received.length < 4 + received.readUIntBE(1, 3)) return
      socket.off('data', take)
      socket.off('close', ended)
      socket.pause()
      resolve(received.subarray(4))
    }
    socket.on('data', take)
    socket.once('close', ended)
    socket.resume()
  })
}

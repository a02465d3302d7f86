// tftpd-hpa: a request is answered from a port of its own, where its transfer goes on block by block.
import { createHash, type Hash } from 'node:crypto'
import { readable } from '../../../../session/readable.ts'
import { sessionRunner } from '../../../../session/session-runner.ts'
import type { DecoyEvent, SessionContext, SessionRunner, Step } from '../../../../session/session.ts'
import {
  acknowledgement,
  dataBlock,
  decode,
  failure,
  OP,
  optionsAgreed,
  requestOf,
  type Datagram,
} from '../../protocol/codec.ts'
import { asNetascii, lookUp, type Files } from './folder.ts'
import { agree, type Terms } from './options.ts'
import { ERRORS, FOLDER_BYTES, MAX_FILE_BYTES, MODES, MAX_REPEATS, type Failure } from './profile.ts'

interface Transfer {
  readonly phase: 'sending' | 'options sent' | 'receiving' | 'received'
  readonly terms: Terms
  /** The one that is acknowledged next, or comes next. */
  readonly block: number
  /** What is sent again. */
  readonly last: Buffer
  readonly waitMs: number
  /** All of it, and how much of it is sent; undefined: it is a folder, which fails once it is read. */
  readonly file: Buffer | undefined
  readonly sent: number
  readonly upload?: Upload
}

/** Of a file that comes: it is kept nowhere. */
interface Upload {
  readonly fields: DecoyEvent['fields']
  readonly hash: Hash
  readonly bytes: number
}

type State = Transfer | undefined

const refused = (why: Failure): Step<State> => {
  const [code, text] = ERRORS[why]
  return { state: undefined, send: failure(code, text), from: 'fresh', close: 'end' }
}

/** `filesOf` the machine, by name. */
export const tftpSession = (filesOf: (context: SessionContext) => Files): SessionRunner =>
  sessionRunner<State, Datagram>({
    limits: { frameBytes: 65_536, idleMs: 60_000 },
    decode,
    open: () => ({ state: undefined }),
    step(state, datagram, context) {
      if (state) return proceed(state, datagram)
      const { opcode } = datagram
      if (opcode !== OP.read && opcode !== OP.write) return { state }
      const [name = '', mode = ''] = requestOf(datagram).words
      const fields = {
        FILENAME: readable(name),
        OPCODE: opcode === OP.read ? 'READ' : 'WRITE',
        MODE: readable(mode),
      }
      return { ...begin(datagram, fields, filesOf(context)), events: [{ logtype: '10001', fields }] }
    },
    wake(state) {
      if (!state || state.phase === 'received') return { state, close: 'end' }
      const waitMs = 2 * state.waitMs
      if (waitMs >= MAX_REPEATS * state.terms.repeatMs) return { state, close: 'end' }
      return { state: { ...state, waitMs }, send: state.last, wakeMs: waitMs }
    },
    closed: (state) => (state?.upload && state.upload.bytes > 0 ? [uploaded(state.upload)] : []),
  })

function begin(datagram: Datagram, fields: DecoyEvent['fields'], files: Files): Step<State> {
  const { words, isCut } = requestOf(datagram)
  const [name, mode, ...more] = words
  if (name === undefined || mode === undefined) return refused(isCut ? 'cut' : 'noMode')
  const isNetascii = mode.toLowerCase() === 'netascii'
  if (!MODES.has(mode.toLowerCase())) return refused('unknownMode')
  const isWrite = datagram.opcode === OP.write
  const found = lookUp(name, files, isWrite)
  const isFolder = found === 'folder' && !isWrite
  if (typeof found === 'string' && !isFolder) return refused(found)
  // Read byte by byte, a folder is empty.
  const content = typeof found === 'string' ? (isNetascii ? Buffer.alloc(0) : undefined) : found
  // Who wants other line ends cannot know the size beforehand.
  const agreement = agree(more, isNetascii && !isWrite ? undefined : (content?.length ?? FOLDER_BYTES))
  if (!agreement) return refused('option')
  if (isCut) return refused('cut')
  const { terms, agreed } = agreement
  const answer = agreed.length > 0 ? optionsAgreed(agreed) : undefined
  const file = isNetascii && content ? asNetascii(content) : content
  const common = { terms, block: 1, waitMs: terms.repeatMs, file, sent: 0 }
  if (isWrite) {
    const upload = { fields, hash: createHash('sha256'), bytes: 0 }
    return {
      ...said({ ...common, phase: 'receiving', last: answer ?? acknowledgement(0), upload }),
      from: 'fresh',
    }
  }
  const transfer: Transfer = { ...common, phase: 'options sent', last: answer ?? Buffer.alloc(0) }
  return { ...(answer ? said(transfer) : sendBlock(transfer)), from: 'fresh' }
}

/** Sends what is last, and waits as long as at first. */
const said = (state: Transfer): Step<State> => ({
  state: { ...state, waitMs: state.terms.repeatMs },
  send: state.last,
  wakeMs: state.terms.repeatMs,
})

function sendBlock(state: Transfer): Step<State> {
  if (!state.file) return refused('folder')
  const data = state.file.subarray(state.sent, state.sent + state.terms.blockBytes)
  return said({
    ...state,
    phase: 'sending',
    last: dataBlock(state.block, data),
    sent: state.sent + data.length,
  })
}

function proceed(state: Transfer, datagram: Datagram): Step<State> {
  // It looks at nothing any more, and ends.
  if (state.phase === 'received')
    return { state, ...(datagram.bytes.length >= 4 && { send: state.last }), close: 'end' }
  if (datagram.opcode === OP.error) return { state, close: 'end' }
  if (state.phase === 'receiving') return receive(state, datagram)
  if (state.phase === 'options sent') return awaitStart(state, datagram)
  const isNext = datagram.opcode === OP.ack && datagram.block === state.block
  if (!isNext) return { state }
  const isWhole = state.last.length - 4 < state.terms.blockBytes
  return isWhole ? { state, close: 'end' } : sendBlock({ ...state, block: following(state) })
}

const following = ({ block, terms }: Transfer): number => (block === 65_535 ? terms.rollover : block + 1)

/** What comes is read over what was sent, and that is what is sent again. */
function awaitStart(state: Transfer, { opcode, block, bytes }: Datagram): Step<State> {
  if (opcode === OP.ack && block === 0) return sendBlock(state)
  const { length } = state.last
  const last = Buffer.concat([bytes, state.last.subarray(bytes.length)]).subarray(0, length)
  return opcode === OP.ack ? said({ ...state, last }) : { state: { ...state, last } }
}

function receive(state: Transfer, { opcode, block, bytes }: Datagram): Step<State> {
  const { upload, terms } = state
  if (opcode !== OP.data || !upload) return { state }
  const isRepeated = ((block + 1) & 0xffff) === state.block
  if (block !== state.block) return isRepeated ? said(state) : { state }
  const data = bytes.subarray(4)
  upload.hash.update(data)
  const next: Transfer = {
    ...state,
    block: following(state),
    last: acknowledgement(block),
    upload: { ...upload, bytes: upload.bytes + data.length },
  }
  if (upload.bytes + data.length > MAX_FILE_BYTES)
    return { state: next, send: failure(...ERRORS.full), close: 'end' }
  if (data.length === terms.blockBytes) return said(next)
  const { upload: whole, ...done } = next
  return { ...said({ ...done, phase: 'received' }), events: [uploaded(whole!)] }
}

const uploaded = ({ fields, hash, bytes }: Upload): DecoyEvent => ({
  logtype: '10001',
  fields: { ...fields, SIZE: bytes, SHA256: hash.digest('hex') },
})

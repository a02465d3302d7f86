// G13: bodies of strangers, in pieces. What they declare is not what they send.
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import {
  addresses,
  AGAIN_MS,
  ATTACKER,
  dial,
  drained,
  type Attack,
  type NamedAttack,
  type Target,
} from './attack.ts'

const MEBIBYTE = 1_048_576

interface Bodies {
  /** At a time; unfinished ones stay open. */
  readonly lanes: number
  /** They take turns; by default all come from one. */
  readonly from?: readonly string[]
  readonly to?: (target: Target) => { readonly port: number; readonly path: string }
  /** Lines of the head, for those who have a key. */
  readonly head?: (target: Target) => string
  readonly type: string
  readonly declared: number
  readonly pieces: () => Iterable<Buffer>
}

const NOTE = ({ api }: Target) => ({ port: api, path: '/api/v1/flock/note/add' })

const bodies =
  ({ lanes, from = [ATTACKER], to = NOTE, head = () => '', type, declared, pieces }: Bodies): Attack =>
  async (target, isOver) => {
    let sent = 0
    const { port, path } = to(target)
    const lane = async (_: unknown, n: number): Promise<void> => {
      while (!isOver()) {
        const socket = await dial(port, from[n % from.length])
        if (!socket) {
          await pause(AGAIN_MS)
          continue
        }
        const ended = new Promise<void>((resolve) => socket.once('close', resolve))
        socket.resume()
        socket.write(
          `POST ${path} HTTP/1.1\r\nHost: x\r\n${head(target)}Content-Type: ${type}\r\nContent-Length: ${declared}\r\n\r\n`,
        )
        for (const piece of pieces()) {
          if (isOver() || socket.destroyed) break
          sent += piece.length
          if (!socket.write(piece)) await drained(socket)
        }
        while (!isOver() && !socket.destroyed) await Promise.race([ended, pause(100)])
        socket.destroy()
        await pause(AGAIN_MS)
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    return sent
  }

function* repeated(head: string, piece: Buffer, bytes: number): Iterable<Buffer> {
  yield Buffer.from(head)
  for (let sent = 0; sent < bytes; sent += piece.length) yield piece
}

const note = (): Iterable<Buffer> =>
  repeated('--b\r\nContent-Disposition: form-data; name="note"\r\n\r\n', randomBytes(MEBIBYTE), 31 * MEBIBYTE)

/** One byte is missing at the end. */
function* almostWhole(): Iterable<Buffer> {
  const head = Buffer.from('--b\r\nContent-Disposition: form-data; name="doc"; filename="a.docx"\r\n\r\n')
  yield head
  const piece = randomBytes(MEBIBYTE)
  for (let left = 32 * MEBIBYTE - head.length - 1; left > 0; left -= piece.length)
    yield piece.subarray(0, left)
}

const headerLines = (): Iterable<Buffer> =>
  repeated('--b\r\n', Buffer.from('a: b\r\n'.repeat(10_000)), 30 * MEBIBYTE)

/** Each name is another. */
function* names(): Iterable<Buffer> {
  yield Buffer.from('{"a":1')
  for (let from = 0; from < 330_000; from += 10_000)
    yield Buffer.from(Array.from({ length: 10_000 }, (_, n) => `,"${from + n}":1`).join(''))
}

/** Each text ends with an escape that JSON does not have. */
const badEscapes = (): Iterable<Buffer> => repeated('{', Buffer.from('"\\q"'.repeat(16_384)), 65_536)

/** A form that is one byte short of where its key must have come. */
const shortForm = (): Iterable<Buffer> => [Buffer.from(`note=${'a'.repeat(65_530)}`)]

const FORM_DATA = { type: 'multipart/form-data; boundary=b', declared: 32 * MEBIBYTE }

export const BODY_ATTACKS = {
  bodies: {
    title: '60 unfinished bodies of 31 MiB',
    run: bodies({ lanes: 60, ...FORM_DATA, pieces: note }),
  },
  'stopped-uploads': {
    title: 'two stopped uploads of a factory key',
    // Half of the bodies’ memory is the key’s; what a cut upload has freed is garbage for a while.
    limits: { growthMb: 128 },
    run: bodies({
      lanes: 2,
      to: ({ api }) => ({ port: api, path: '/api/v1/decoytoken/factory/create' }),
      head: ({ factoryKey }) => `X-Auth-Token: ${factoryKey}\r\n`,
      ...FORM_DATA,
      pieces: almostWhole,
    }),
  },
  'token-bodies': {
    title: '60 unfinished bodies of 31 MiB to the token host',
    run: bodies({ lanes: 60, ...FORM_DATA, pieces: note, to: ({ tokens }) => ({ port: tokens, path: '/' }) }),
  },
  json: {
    title: '3 connections of JSON with 330,000 names',
    run: bodies({ lanes: 3, type: 'application/json', declared: 4 * MEBIBYTE, pieces: names }),
  },
  escapes: {
    title: '16 connections of JSON whose escapes are wrong',
    run: bodies({ lanes: 16, type: 'application/json', declared: 4 * MEBIBYTE, pieces: badEscapes }),
  },
  multipart: {
    title: 'multipart of 5 M header lines',
    run: bodies({ lanes: 3, ...FORM_DATA, declared: 31 * MEBIBYTE, pieces: headerLines }),
  },
  forms: {
    title: '512 forms that end before their key, from 8 addresses',
    arrivalMs: 2_000,
    // 64 KiB of each are read at once, before the oldest can make room.
    limits: { growthMb: 96 },
    run: bodies({
      lanes: 512,
      from: addresses(8),
      type: 'application/x-www-form-urlencoded',
      declared: 65_536,
      pieces: shortForm,
    }),
  },
} satisfies Record<string, NamedAttack>

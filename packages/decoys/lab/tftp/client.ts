// What clients of TFTP send (RFC 1350, 2347).
import { acknowledgement, dataBlock, failure, OP } from '../../src/services/tftp/protocol/codec.ts'

export const ack = acknowledgement
export const data = (block: number, text: string): Buffer => dataBlock(block, Buffer.from(text, 'latin1'))
export const abort = failure

type Options = readonly (readonly [name: string, value: string])[]

/** Any words behind the operation, each with its NUL. */
export const words = (opcode: number, ...parts: readonly string[]): Buffer =>
  Buffer.from(
    `${String.fromCharCode(opcode >> 8, opcode & 0xff)}${parts.map((part) => `${part}\0`).join('')}`,
    'latin1',
  )

const request =
  (opcode: number) =>
  (name: string, mode = 'octet', options: Options = []) =>
    words(opcode, name, mode, ...options.flat())

export const readRequest = request(OP.read)
export const writeRequest = request(OP.write)

/** Files of the real server and of the decoy while probes are recorded and replayed. */
export const FILES: ReadonlyMap<string, Buffer> = new Map(
  [
    ['empty', ''],
    ['lines', 'one\ntwo\r\nthree\rfour\n\r\0'],
    ['exact', 'A'.repeat(1_024)],
    ['long', Array.from({ length: 400 }, (_, n) => `line ${n}\n`).join('')],
  ].map(([name = '', text = '']) => [name, Buffer.from(text, 'latin1')]),
)

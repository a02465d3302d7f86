// A controller's Modbus server: what it answers to a function, and what it keeps of what was written.
import type { Identity } from '../../machine/controller-form.ts'
import { sessionRunner } from '../../session/session-runner.ts'
import type { DecoyEvent, SessionContext, SessionRunner, Step } from '../../session/session.ts'
import { decode, encode, MAX_FRAME_BYTES, type Request } from './protocol/codec.ts'
import { FUNCTION, logtypeOf, nameOf, subfunctionOf } from './protocol/functions.ts'
import { identification } from './protocol/identity.ts'
import { ADDRESSES, type Bank, type Registers } from './protocol/registers.ts'

const EXCEPTION = { function: 1, address: 2, value: 3, gateway: 0x0b } as const
/** Units that are this device; others would be behind it, on a serial line that it lacks. */
const OWN_UNITS: ReadonlySet<number> = new Set([1, 255])
const IDLE_MS = 120_000
const RUNNING = 0xff

type Outcome = Buffer | (typeof EXCEPTION)[keyof typeof EXCEPTION]

interface Device {
  readonly registers: Registers
  readonly identity: Identity
  readonly seed: number
  readonly now: number
}

export function modbusSession(
  registers: Registers,
  identityOf: (context: SessionContext) => Identity,
): SessionRunner {
  return sessionRunner<undefined, Request>({
    limits: { frameBytes: MAX_FRAME_BYTES, idleMs: IDLE_MS },
    decode,
    open: () => ({ state: undefined }),
    step(state, request, context): Step<undefined> {
      const { derive, now } = context
      const seed = derive('modbus/registers', 4).readUInt32BE()
      const device = { registers, identity: identityOf(context), seed, now: now() }
      const outcome = request.isForeign ? foreign(request) : answer(request, device)
      const pdu =
        typeof outcome === 'number'
          ? Buffer.from([request.code | 0x80, outcome])
          : Buffer.concat([Buffer.from([request.code]), outcome])
      const close = request.isForeign && { close: 'end' as const }
      return { state, events: [eventOf(request)], send: encode(request, pdu), ...close }
    },
    idle: (state) => ({ state, close: 'end' }),
  })
}

function eventOf({ unit, code, data }: Request): DecoyEvent {
  const sub = subfunctionOf(code, data)
  const fields = {
    UNIT_ID: unit,
    FUNC_CODE: code,
    FUNC_NAME: nameOf(code),
    SFUNC_CODE: sub?.code ?? '',
    SFUNC_NAME: sub?.name ?? '',
  }
  return { logtype: logtypeOf(code), fields }
}

const foreign = ({ unit }: Request): Outcome => (OWN_UNITS.has(unit) ? EXCEPTION.function : EXCEPTION.gateway)

function answer(request: Request, device: Device): Outcome {
  const { unit, code, data } = request
  if (!OWN_UNITS.has(unit)) return EXCEPTION.gateway
  switch (code) {
    case FUNCTION.readCoils:
      return readBits('coils', data, device)
    case FUNCTION.readDiscreteInputs:
      return readBits('discrete', data, device)
    case FUNCTION.readHoldingRegisters:
      return data.length === 4 ? readWords('holding', data, device) : EXCEPTION.value
    case FUNCTION.readInputRegisters:
      return data.length === 4 ? readWords('input', data, device) : EXCEPTION.value
    case FUNCTION.writeCoil:
      return writeCoil(data, device)
    case FUNCTION.writeRegister:
      if (data.length !== 4) return EXCEPTION.value
      device.registers.write('holding', data.readUInt16BE(0), data.readUInt16BE(2))
      return data
    case FUNCTION.diagnostics:
      if (data.length < 2) return EXCEPTION.value
      return data.readUInt16BE() === 0 ? data : EXCEPTION.function
    case FUNCTION.writeCoils:
      return writeCoils(data, device)
    case FUNCTION.writeRegisters:
      return writeWords(data, 123, device) ?? data.subarray(0, 4)
    case FUNCTION.reportServerId:
      return serverId(device.identity)
    case FUNCTION.maskWriteRegister:
      return maskWrite(data, device)
    case FUNCTION.readWriteRegisters:
      return readWrite(data, device)
    case FUNCTION.encapsulated:
      return identification(data, device.identity)
    default:
      return EXCEPTION.function
  }
}

/** The exception where quantity and address do not fit; first the quantity, as the specification's diagrams have it. */
function misplaced(address: number, quantity: number, most: number): Outcome | undefined {
  if (quantity < 1 || quantity > most) return EXCEPTION.value
  return address + quantity > ADDRESSES ? EXCEPTION.address : undefined
}

function readBits(bank: Bank, data: Buffer, { registers, seed, now }: Device): Outcome {
  if (data.length !== 4) return EXCEPTION.value
  const [address, quantity] = [data.readUInt16BE(0), data.readUInt16BE(2)]
  const wrong = misplaced(address, quantity, 2_000)
  if (wrong !== undefined) return wrong
  const bytes = Buffer.alloc(1 + Math.ceil(quantity / 8))
  bytes[0] = bytes.length - 1
  for (let at = 0; at < quantity; at += 1)
    bytes[1 + (at >> 3)]! |= registers.read(bank, address + at, seed, now) << (at & 7)
  return bytes
}

/** Address and quantity stand first. */
function readWords(bank: Bank, data: Buffer, { registers, seed, now }: Device): Outcome {
  const [address, quantity] = [data.readUInt16BE(0), data.readUInt16BE(2)]
  const wrong = misplaced(address, quantity, 125)
  if (wrong !== undefined) return wrong
  const bytes = Buffer.alloc(1 + 2 * quantity)
  bytes[0] = 2 * quantity
  for (let at = 0; at < quantity; at += 1)
    bytes.writeUInt16BE(registers.read(bank, address + at, seed, now), 1 + 2 * at)
  return bytes
}

function writeCoil(data: Buffer, { registers }: Device): Outcome {
  const value = data.length === 4 ? data.readUInt16BE(2) : -1
  if (value !== 0 && value !== 0xff00) return EXCEPTION.value
  registers.write('coils', data.readUInt16BE(0), value === 0 ? 0 : 1)
  return data
}

function writeCoils(data: Buffer, { registers }: Device): Outcome {
  if (data.length < 6) return EXCEPTION.value
  const [address, quantity, bytes] = [data.readUInt16BE(0), data.readUInt16BE(2), data[4]!]
  if (bytes !== Math.ceil(quantity / 8) || data.length !== 5 + bytes) return EXCEPTION.value
  const wrong = misplaced(address, quantity, 1_968)
  if (wrong !== undefined) return wrong
  for (let at = 0; at < quantity; at += 1)
    registers.write('coils', address + at, (data[5 + (at >> 3)]! >> (at & 7)) & 1)
  return data.subarray(0, 4)
}

/** Undefined: they are written. */
function writeWords(data: Buffer, most: number, { registers }: Device): Outcome | undefined {
  if (data.length < 7) return EXCEPTION.value
  const [address, quantity, bytes] = [data.readUInt16BE(0), data.readUInt16BE(2), data[4]!]
  if (bytes !== 2 * quantity || data.length !== 5 + bytes) return EXCEPTION.value
  const wrong = misplaced(address, quantity, most)
  if (wrong !== undefined) return wrong
  for (let at = 0; at < quantity; at += 1)
    registers.write('holding', address + at, data.readUInt16BE(5 + 2 * at))
  return undefined
}

function maskWrite(data: Buffer, { registers, seed, now }: Device): Outcome {
  if (data.length !== 6) return EXCEPTION.value
  const [address, and, or] = [data.readUInt16BE(0), data.readUInt16BE(2), data.readUInt16BE(4)]
  const value = registers.read('holding', address, seed, now)
  registers.write('holding', address, (value & and) | (or & ~and & 0xffff))
  return data
}

/** It writes first (6.17), once both places are right. */
function readWrite(data: Buffer, device: Device): Outcome {
  if (data.length < 11) return EXCEPTION.value
  const wrong = misplaced(data.readUInt16BE(0), data.readUInt16BE(2), 125)
  return wrong ?? writeWords(data.subarray(4), 121, device) ?? readWords('holding', data, device)
}

/** Its id is what the maker chose: here the product's code, and that it runs. */
function serverId([vendor, code, revision]: Identity): Buffer {
  const id = Buffer.from(`${vendor} ${code} ${revision}`, 'latin1')
  return Buffer.concat([Buffer.from([id.length + 1]), id, Buffer.from([RUNNING])])
}

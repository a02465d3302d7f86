// The functions of Modbus (MODBUS Application Protocol 1.1b3, 6): what each is called, reads or writes.

export const FUNCTION = {
  readCoils: 1,
  readDiscreteInputs: 2,
  readHoldingRegisters: 3,
  readInputRegisters: 4,
  writeCoil: 5,
  writeRegister: 6,
  diagnostics: 8,
  writeCoils: 15,
  writeRegisters: 16,
  reportServerId: 17,
  maskWriteRegister: 22,
  readWriteRegisters: 23,
  encapsulated: 43,
} as const

const NAMES = new Map<number, string>([
  [1, 'Read Coils'],
  [2, 'Read Discrete Inputs'],
  [3, 'Read Holding Registers'],
  [4, 'Read Input Registers'],
  [5, 'Write Single Coil'],
  [6, 'Write Single Register'],
  [7, 'Read Exception Status'],
  [8, 'Diagnostics'],
  [11, 'Get Comm Event Counter'],
  [12, 'Get Comm Event Log'],
  [15, 'Write Multiple Coils'],
  [16, 'Write Multiple Registers'],
  [17, 'Report Server ID'],
  [20, 'Read File Record'],
  [21, 'Write File Record'],
  [22, 'Mask Write Register'],
  [23, 'Read/Write Multiple Registers'],
  [24, 'Read FIFO Queue'],
  [43, 'Encapsulated Interface Transport'],
])

const READS: ReadonlySet<number> = new Set([1, 2, 3, 4, 20, 24])
const WRITES: ReadonlySet<number> = new Set([5, 6, 15, 16, 21, 22, 23])

export const nameOf = (code: number): string => NAMES.get(code) ?? 'Unknown'

export const logtypeOf = (code: number): '18001' | '18002' | '18003' =>
  READS.has(code) ? '18002' : WRITES.has(code) ? '18003' : '18001'

/** Of a function that has some: the number of its own that it carries, and what that is called. */
export function subfunctionOf(
  code: number,
  data: Buffer,
): { readonly code: number; readonly name: string } | undefined {
  if (code === FUNCTION.diagnostics && data.length >= 2) {
    const number = data.readUInt16BE()
    return { code: number, name: number === 0 ? 'Return Query Data' : 'Diagnostic' }
  }
  if (code !== FUNCTION.encapsulated || data.length < 1) return undefined
  const [number = 0] = data
  return { code: number, name: number === 14 ? 'Read Device Identification' : 'Unknown' }
}

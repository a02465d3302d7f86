// The filter that the kernel runs on each packet (classic BPF, bpf(4)): only scan probes reach the program. Established traffic,
// and every segment with ACK or RST, stays in the kernel.
import type { Instruction } from '../../host/sensors/raw.ts'
import { technique } from './codec.ts'

const LOAD_WORD = 0x20
const LOAD_HALF = 0x28
const LOAD_BYTE = 0x30
const LOAD_BYTE_AT_X = 0x50
const LOAD_X_HEADER_LENGTH = 0xb1
const LOAD_X = 0x01
const AND = 0x54
const JUMP_EQUAL = 0x15
const JUMP_ANY_BIT = 0x45
const RETURN = 0x06

/** Of `SKF_AD_OFF` in linux/filter.h: what the kernel knows of the packet besides its bytes. */
const PROTOCOL = 0xff_ff_f0_00
const PACKET_TYPE = 0xff_ff_f0_04

const FOR_THIS_HOST = 0
const IPV4 = 0x0800
const IPV6 = 0x86dd
const TCP = 6
const IPV6_HEADER = 40
const FLAGS = 13
/** FIN, SYN, RST, PSH, ACK, URG; ECE and CWR change nothing. */
const FLAG_MASK = 0x3f

/** Bytes of a packet that are handed over: the longest IPv4 header, and TCP's without options. */
export const SNAPPED = 80

const accepted = Array.from({ length: FLAG_MASK + 1 }, (_, flags) => flags).filter(
  (flags) => technique(flags) !== undefined,
)

/** A program of named steps; a step that names no target goes on with the next one. */
interface Step {
  readonly label?: string
  readonly code: number
  readonly k: number
  readonly then?: string
  readonly otherwise?: string
}

const steps: readonly Step[] = [
  { code: LOAD_WORD, k: PACKET_TYPE },
  { code: JUMP_EQUAL, k: FOR_THIS_HOST, otherwise: 'drop' },
  { code: LOAD_WORD, k: PROTOCOL },
  { code: JUMP_EQUAL, k: IPV4, then: 'ipv4' },
  { code: JUMP_EQUAL, k: IPV6, then: 'ipv6', otherwise: 'drop' },
  { label: 'ipv4', code: LOAD_BYTE, k: 9 },
  { code: JUMP_EQUAL, k: TCP, otherwise: 'drop' },
  // A later fragment has no TCP header.
  { code: LOAD_HALF, k: 6 },
  { code: JUMP_ANY_BIT, k: 0x1f_ff, then: 'drop' },
  { code: LOAD_X_HEADER_LENGTH, k: 0 },
  { code: JUMP_EQUAL, k: 0, then: 'flags', otherwise: 'flags' },
  { label: 'ipv6', code: LOAD_BYTE, k: 6 },
  { code: JUMP_EQUAL, k: TCP, otherwise: 'drop' },
  { code: LOAD_X, k: IPV6_HEADER },
  { label: 'flags', code: LOAD_BYTE_AT_X, k: FLAGS },
  { code: AND, k: FLAG_MASK },
  ...accepted.map((k): Step => ({ code: JUMP_EQUAL, k, then: 'accept' })),
  { label: 'drop', code: RETURN, k: 0 },
  { label: 'accept', code: RETURN, k: SNAPPED },
]

/** For a packet socket whose packets begin with their IP header (`SOCK_DGRAM`, packet(7)). */
export const scanFilter: readonly Instruction[] = steps.map(({ code, k, then, otherwise }, at) => [
  code,
  distance(then, at),
  distance(otherwise, at),
  k,
])

/** Instructions between a jump and its target. */
function distance(label: string | undefined, from: number): number {
  if (label === undefined) return 0
  return steps.findIndex((step) => step.label === label) - from - 1
}

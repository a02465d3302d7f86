// What a clock that follows a server tells at a moment: a function of the Bird's seed and the time, so that it drifts as clocks do.
import type { SessionContext } from '../../../../session/session.ts'
import { timestamp } from '../../protocol/codec.ts'
import { POLL, PRECISION, STRATUM, VERSION } from './profile.ts'

const POLL_MS = 1_000 * 2 ** POLL
/** Of a clock that nobody corrects, in a second. */
const DRIFT = 15e-6

/** All of it in seconds. `server`: IPv4 of the one that it follows. */
export function clockOf({ derive, now, dst, random }: SessionContext) {
  const at = now()
  const phase = derive('ntp/phase', 4).readUInt32BE() % POLL_MS
  const polls = Math.floor((at + phase) / POLL_MS)
  const polledAt = polls * POLL_MS - phase
  /** From 0 to 1: another one at each poll. */
  const chance = (name: string, poll = polls): number =>
    derive(`ntp/${name}/${poll}`, 4).readUInt32BE() / 2 ** 32
  const delay = (0.6 + 0.3 * chance('delay')) / 1_000
  const rootDelay = delay + 0.006 + 0.004 * chance('root', 0)
  const rootDispersion = 0.011 + 0.01 * chance('dispersion') + (DRIFT * (at - polledAt)) / 1_000
  const server = serverNear(dst.host)
  const updated = timestamp(polledAt, 1e6 * chance('nanoseconds'))
  const association = 1_024 + (derive('ntp/association', 2).readUInt16BE() % 64_000)
  const ms = (seconds: number, digits = 3): string => (1_000 * seconds).toFixed(digits)
  const offset = ms(2e-4 * chance('offset') - 1e-4, 6)
  const jitter = ms(6e-5 * (0.5 + chance('jitter')), 6)
  const filter = (most: number): string =>
    Array.from({ length: 8 }, (_, age) =>
      (most * (0.7 + 0.3 * chance('filter', polls - age))).toFixed(2),
    ).join(' ')
  /** Its variables, in the order in which they are shown. */
  const system = (kernel: string): string =>
    `leap=0, stratum=${STRATUM}, precision=${PRECISION}, rootdelay=${ms(rootDelay)}, rootdisp=${ms(rootDispersion)}, ` +
    `refid=${server.join('.')}, reftime=${hex(updated)}, tc=${POLL}, peer=${association}, offset=${offset}, ` +
    `frequency=${(40 * chance('frequency', 0) - 20 + chance('wander')).toFixed(6)}, sys_jitter=${jitter}, ` +
    `clk_jitter=${ms(4e-5 * (0.5 + chance('clock')), 6)}, clock=${hex(timestamp(at, random(4).readUInt32BE() % 1e6))}, ` +
    `processor="x86_64", system="Linux/${kernel}", version="${VERSION}", ` +
    `clk_wander=${(0.02 * chance('wander')).toFixed(6)}, mintc=0`
  const peer = (): string =>
    `srcadr=${server.join('.')}, srcport=123, dstadr=${dst.host}, dstport=123, leap=0, hmode=3, stratum=${STRATUM - 1}, ` +
    `ppoll=${POLL}, hpoll=${POLL}, precision=${PRECISION}, rootdelay=${ms(rootDelay - delay)}, rootdisp=10.010, ` +
    `refid=${[...derive('ntp/root', 3), 17].join('.')}, reftime=${hex(timestamp(polledAt - 311_000, 271_828))}, ` +
    `rec=${hex(updated)}, xmt=${hex(timestamp(polledAt - 1, 577_215))}, reach=0xff, unreach=0, delay=${ms(delay, 6)}, ` +
    `offset=${offset}, jitter=${jitter}, dispersion=${(15 + chance('dispersion')).toFixed(6)}, keyid=0, ` +
    `filtdelay=${filter(0.9)}, filtoffset=${filter(0.1)}, pmode=4, ` +
    `filtdisp=0.00 15.38 30.75 46.14 61.52 76.90 92.28 107.66, flash=0x0, headway=0, ntscookies=-1`
  return { rootDelay, rootDispersion, server, updated, association, system, peer }
}

/** `0xeeb67b4b.126c32d6`. */
const hex = (time: Buffer): string => `0x${time.toString('hex', 0, 4)}.${time.toString('hex', 4)}`

/** The first of the network, as most have it, or the last where the Bird is the first. */
function serverNear(host: string): readonly number[] {
  const parts = host.split('.').map(Number)
  return parts.length === 4 ? [...parts.slice(0, 3), parts[3] === 1 ? 254 : 1] : [10, 0, 0, 1]
}

// The VDSL gateway that a router is: what its web pages, SNMP, Telnet and its configuration tell of it.
import { draw, type Derive } from './draw.ts'

export interface Firmware {
  readonly kernel: string
  /** When its maker built it, as `uname -v` has it. */
  readonly build: string
}

const KERNELS = ['3.10.14', '2.6.36', '3.18.21']
const BUILDS = ['Tue Mar 14 10:42:07 CST 2017', 'Thu Jun 8 17:20:31 CST 2017', 'Fri Nov 17 09:05:55 CST 2017']
/** Its own network, its line, and the session on it. */
export const [LAN, LINE, SESSION] = ['br0', 'ptm0', 'ppp0']

export function gatewayFirmware(derive: Derive): Firmware {
  const { pick } = draw(derive, 'machine/firmware')
  return { kernel: pick(KERNELS), build: `#1 SMP ${pick(BUILDS)}` }
}

/** Its address in its own network: where it was asked, if that is one of IPv4 and of a network. */
export function lanAddress(asked: string, derive: Derive): string {
  if (/^(?!127\.)\d+(\.\d+){3}$/.test(asked)) return asked
  return `192.168.${draw(derive, 'machine/lan').pick([0, 1])}.1`
}

export const networkOf = (address: string): string => address.replace(/\d+$/, '0')

// The hardware address that the machine shows beyond its own link.
import type { Controller } from './controller-form.ts'
import { draw, type Derive } from './draw.ts'
import type { MachineKind } from './machine-kind.ts'

/** Prefixes that the IEEE gave to makers of such machines: Hyper-V and VMware, then Dell and HP, Thecus, Brother, TP-Link. Each controller has that of its own maker. */
const VIRTUAL = ['00155d', '005056']
const MAKERS: Readonly<Record<Exclude<MachineKind, 'plc'>, readonly string[]>> = {
  linux: VIRTUAL,
  'windows-server': VIRTUAL,
  'windows-workstation': ['f8bc12', 'b8ca3a', '3c5282'],
  'phone-system': VIRTUAL,
  nas: ['0014fd'],
  printer: ['008077', '001ba9'],
  router: ['1027f5'],
}
const LOCALLY_ADMINISTERED = 2

export const makersOf = (
  kind: MachineKind,
  { makerPrefix }: Pick<Controller, 'makerPrefix'>,
): readonly string[] => (kind === 'plc' ? [makerPrefix] : MAKERS[kind])

/**
 * That of the Bird's own machine, which neighbours see in its frames. One is drawn where it is unknown, or made up by software:
 * containers share such addresses. A drawn one begins with one of `prefixes`.
 */
export function hardwareAddress(own: unknown, prefixes: readonly string[], derive: Derive): Buffer {
  const bytes = bytesOf(String(own))
  const isUsable = bytes.length === 6 && !(bytes[0]! & LOCALLY_ADMINISTERED) && bytes.some((byte) => byte > 0)
  if (isUsable) return bytes
  const maker = draw(derive, 'machine/maker').pick(prefixes)
  return Buffer.concat([bytesOf(maker), derive('machine/hardware-address', 3)])
}

const bytesOf = (address: string): Buffer => Buffer.from(address.replaceAll(/[:-]/g, ''), 'hex')

// The controller that a PLC is: what Modbus, SNMP and its web server tell of it. Its texts follow from the settings of Modbus, or
// are drawn for the Bird.
import type { BirdSettings } from '../session/session.ts'
import type { Controller, Identity } from './controller-form.ts'
import { CONTROLLERS } from './controllers.data.ts'
import { draw, type Derive } from './draw.ts'

/** In the order of the identity. */
export const IDENTITY_SETTINGS: readonly string[] = [
  'modbus.vendorname',
  'modbus.productcode',
  'modbus.majorminorrevision',
  'modbus.vendorurl',
  'modbus.productname',
  'modbus.modelname',
  'modbus.userapplicationname',
]

/** One of the vendor that the settings name, where one is known. */
export function controllerOf(settings: BirdSettings, derive: Derive): Controller {
  const chosen = IDENTITY_SETTINGS.map((key) => String(settings[key] ?? ''))
  const drawn = draw(derive, 'modbus/device').pick(CONTROLLERS)
  const model = CONTROLLERS.find(({ identity: [vendor] }) => vendor === chosen[0]) ?? drawn
  const { between } = draw(derive, 'machine/serial')
  return {
    ...model,
    identity: model.identity.map((text, at) => chosen[at] || text) as unknown as Identity,
    serial: model.serial.replaceAll('#', () => String(between(0, 9))),
  }
}

/** In one line, as SNMP has it. */
export function describeController({ identity, serial }: Controller): string {
  const [vendor, code, revision, , name] = identity
  return `${vendor} ${name.includes(code) ? name : `${name} ${code}`}, FW ${revision}, SN ${serial}`
}

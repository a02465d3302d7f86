// A controller that speaks Modbus over TCP. What it is called follows from the settings, or is drawn for the Bird.
import { draw, type Derive } from '../../machine/draw.ts'
import { memoriesOf } from '../../session/memory.ts'
import type { BirdSettings, Service } from '../../session/session.ts'
import { ownSettings } from '../../settings/own-settings.ts'
import { descriptor } from './descriptor.ts'
import { DEVICES } from './devices.data.ts'
import type { Identity } from './protocol/identity.ts'
import { newRegisters } from './protocol/registers.ts'
import { modbusSession } from './session.ts'

/** The settings, in the order of the objects. */
const KEYS = [
  'vendorname',
  'productcode',
  'majorminorrevision',
  'vendorurl',
  'productname',
  'modelname',
  'userapplicationname',
] as const

function identityOf(settings: BirdSettings, derive: Derive): Identity {
  const device = draw(derive, 'modbus/device').pick(DEVICES)
  return device.map((text, at) => String(settings[`modbus.${KEYS[at]}`] ?? '') || text) as unknown as Identity
}

/** What was written outlives another port. */
const newMemory = memoriesOf(newRegisters)

const service: Service = {
  listeners(settings) {
    if (settings['modbus.enabled'] !== true) return []
    const memory = newMemory()
    return [
      {
        instance: 'modbus',
        transport: 'tcp',
        port: Number(settings['modbus.port']),
        startSession: (context) =>
          modbusSession(memory.value, ({ derive }) => identityOf(settings, derive))(context),
        dependsOn: ownSettings(settings, descriptor),
        memory,
      },
    ]
  },
}

export default service

// A controller that speaks Modbus over TCP. What it is called follows from the settings, or is drawn for the Bird.
import { storyOf } from '../../machine/story.ts'
import { memoriesOf } from '../../session/memory.ts'
import type { Service } from '../../session/session.ts'
import { ownSettings } from '../../settings/own-settings.ts'
import { descriptor } from './descriptor.ts'
import { newRegisters } from './protocol/registers.ts'
import { modbusSession } from './session.ts'

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
          modbusSession(memory.value, ({ derive }) => storyOf(settings, derive).controller.identity)(context),
        dependsOn: ownSettings(settings, descriptor),
        memory,
      },
    ]
  },
}

export default service

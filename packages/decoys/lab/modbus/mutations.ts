// Requests of Modbus, changed.
import { changeBytes } from '../../test/mutations/changes.ts'
import { sessionTarget, type MutationTargets } from '../../test/mutations/target.ts'
import { CONTROLLERS } from '../../src/machine/controllers.data.ts'
import { newRegisters } from '../../src/services/modbus/protocol/registers.ts'
import { modbusSession } from '../../src/services/modbus/session.ts'
import { anyRequest } from './requests.ts'

const server = modbusSession(newRegisters(), () => CONTROLLERS[0]!.identity)

export const mutations: MutationTargets = {
  modbus: sessionTarget({
    server: () => server,
    segments: (draw) => draw.many(1, 4, () => anyRequest(draw)),
    change: changeBytes([2, 253, 254, 255, 125, 126, 2_000, 2_001]),
    mostAnswerBytes: 2_000,
    leastMeanAnswer: 10,
  }),
}

// A program that nobody runs at work. To run it makes the machine look up a name that says who and where.
import { lookUpFields } from '../../channels/dns/look-up-fields.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'
import { payloadOf } from './payload.ts'
import { checkProcesses, registryFile } from './registry.ts'
import { commandScript } from './script.ts'

export default token(descriptor, {
  renders({ hostname }, { process_name }) {
    checkProcesses(process_name)
    return {
      windows: registryFile(process_name, hostname),
      linux: commandScript('linux', process_name, hostname),
      macos: commandScript('macos', process_name, hostname),
    }
  },
  on: {
    dns: {
      judge: ({ labels }) => (payloadOf(labels) ? 'fire' : 'quiet'),
      invocation: ({ labels }) => payloadOf(labels)?.invocationId,
      describe(visit, { process_name }) {
        const payload = payloadOf(visit.labels)
        return {
          ...lookUpFields(visit),
          ...(payload && {
            computer: payload.computer,
            user: payload.user,
            process: process_name[payload.processIndex] ?? '',
            invocation_id: payload.invocationId,
          }),
        }
      },
    },
  },
})

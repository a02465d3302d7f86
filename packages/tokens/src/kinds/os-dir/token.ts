// A Windows folder whose icon lies on a host of ours, or a file that leads there. The look-up fires once its name is whole.
import type { EventFields } from '@rookery/kernel/touch.ts'
import { firedByWholeName, windowsUserBefore } from '../../channels/dns/whole-name.ts'
import { requestFields } from '../../channels/http/request-fields.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'
import { MARKER, SERVER } from './payload.ts'
import { formOf, uncPath } from './unc-path.ts'

const windowsUser = windowsUserBefore(MARKER)

const lookedUp = (labels: readonly string[]): EventFields | undefined =>
  labels.length === 1 && labels[0] === SERVER ? {} : windowsUser(labels)

export default token(descriptor, {
  renders: (address, settings) => ({
    hostname: address.hostname,
    unc: uncPath(address, formOf(settings)),
  }),
  on: {
    dns: firedByWholeName(lookedUp),
    http: { describe: requestFields },
  },
})

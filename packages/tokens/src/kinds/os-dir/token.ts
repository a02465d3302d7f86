// A Windows folder whose icon lies on a host of ours. The look-up fires once the name says who opened the folder.
import { firedByWholeName, windowsUserBefore } from '../../channels/dns/whole-name.ts'
import { requestFields } from '../../channels/http/request-fields.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'
import { iconPath } from './desktop-ini.ts'
import { MARKER } from './payload.ts'

export default token(descriptor, {
  renders: (address) => ({ hostname: address.hostname, unc: iconPath(address) }),
  on: {
    dns: firedByWholeName(windowsUserBefore(MARKER)),
    http: { describe: requestFields },
  },
})

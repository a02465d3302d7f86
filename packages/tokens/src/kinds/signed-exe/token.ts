// A signed program. Windows looks up where its certificate may have been revoked; the names do not exist, so that it only fires.
import { invalidParameter } from '@rookery/kernel/fault.ts'
import { nxName } from '../../channels/dns/nx-name.ts'
import { firedByWholeName } from '../../channels/dns/whole-name.ts'
import { requestFields } from '../../channels/http/request-fields.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'

const WAYS = ['crl', 'aia', 'ocsp'] as const
/** Malware scanners look at these names first of all, and their owners act against misuse. */
const REFUSED = /microsoft|google/i

/** By which address of the certificate it came. Windows asks for several of them: the first is shown. */
const { judge, describe } = firedByWholeName((labels) => {
  const via = WAYS.find((way) => way === labels.at(-1))
  return via && { via }
})

export default token(descriptor, {
  renders(address, { exe_publisher = '' }) {
    if (REFUSED.test(exe_publisher))
      throw invalidParameter(
        'exe_publisher',
        `must not have the name of Microsoft or Google in it, as ${JSON.stringify(exe_publisher)} has`,
      )
    return { hostname: nxName(address, 'crl') }
  },
  on: {
    dns: { judge, describe },
    http: { describe: requestFields },
  },
})

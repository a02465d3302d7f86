// What a Bird reports of itself, besides the touches of its services.
import type { Logtype } from '@rookery/kernel/logtype.ts'

/** It went back to its last good settings. Fields: `Erroneous network settings`, `Restored network settings`, `Rollback time`, `User`. */
export const NETWORK_ROLLBACK: Logtype = {
  logtype: '22001',
  summary: 'Network Settings Roll-back',
  slug: 'rollback',
}

/** Its spool was full and events had to be dropped. Fields: `DROPPED` (how many since the last such event), `CAP_BYTES`. */
export const SPOOL_OVERFLOW: Logtype = {
  logtype: '22002',
  summary: 'Bird Spool Overflow',
  slug: 'spooloverflow',
}

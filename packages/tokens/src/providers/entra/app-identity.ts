// What an app of the directory is called, and the tag by which it is found again: the same each time.
import type { Derive } from '../../derive.ts'
import { openDraws } from '../../draws.ts'

const NAMES = [
  'backup-automation',
  'billing-export',
  'build-agents',
  'hr-sync',
  'inventory-collector',
  'mail-archive',
  'reporting-service',
  'terraform-deploy',
] as const

export const displayNameOf = (derive: Derive): string => openDraws(derive, 'app').pick(NAMES)

/** People of the tenant can see it: it says nothing. */
export const tagOf = (derive: Derive): string => derive('tag of the app', 12).toString('hex')

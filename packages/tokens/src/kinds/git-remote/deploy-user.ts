// The user that the configuration names, with a password: the same each time.
import type { BasicCredentials } from '../../channels/http/authorization.ts'
import type { Derive } from '../../derive.ts'
import { openDraws } from '../../draws.ts'

const NAMES = ['deploy', 'ci', 'build', 'jenkins', 'git-mirror', 'svc-git', 'automation'] as const
const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export function deployUserOf(derive: Derive): BasicCredentials {
  const draws = openDraws(derive, 'user')
  return { username: draws.pick(NAMES), password: draws.text(CHARACTERS, 24) }
}

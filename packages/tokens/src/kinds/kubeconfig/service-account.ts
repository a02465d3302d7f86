// The service account of whom the configuration seems to be, and its token: a JSON Web Token as a cluster issues it for a
// secret of the type kubernetes.io/service-account-token.
import { uuid } from '@rookery/kernel/ids.ts'
import type { Derive } from '../../derive.ts'
import { openDraws } from '../../draws.ts'

const NAMES = ['deployer', 'ci-deploy', 'cluster-admin', 'gitlab-runner', 'argocd-manager', 'backup'] as const
const NAMESPACES = ['kube-system', 'default', 'ci', 'deploy', 'platform'] as const
/** RSA of 2048 bits. */
const SIGNATURE_BYTES = 256

export interface ServiceAccount {
  readonly name: string
  readonly token: string
}

/** The same each time. Nobody has the key of its signature. */
export function serviceAccountOf(derive: Derive): ServiceAccount {
  const draws = openDraws(derive, 'service account')
  const name = draws.pick(NAMES)
  const namespace = draws.pick(NAMESPACES)
  const claims = {
    iss: 'kubernetes/serviceaccount',
    'kubernetes.io/serviceaccount/namespace': namespace,
    'kubernetes.io/serviceaccount/secret.name': `${name}-token`,
    'kubernetes.io/serviceaccount/service-account.name': name,
    'kubernetes.io/serviceaccount/service-account.uid': uidOf(derive('uid', 16)),
    sub: `system:serviceaccount:${namespace}:${name}`,
  }
  const header = { alg: 'RS256', kid: derive('key id', 32).toString('base64url') }
  const parts = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  return { name, token: [...parts, derive('signature', SIGNATURE_BYTES).toString('base64url')].join('.') }
}

const uidOf = (bytes: Buffer): string => uuid(bytes.toString('hex'), '4', '89ab'[(bytes[8] ?? 0) & 3] ?? '8')

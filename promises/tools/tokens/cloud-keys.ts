// Access keys of a cloud, used by its own programs.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { installedAws } from '../lib/aws.ts'
import { run } from '../lib/command.ts'
import { download, type FiringDeps, type Planted, type TokenProof } from './token-proof.ts'

const aws = await installedAws()
const AWS = `aws ${aws?.version ?? ''}`.trim()
const HOW = aws?.readsEndpoint ? 'the file alone' : 'too old for the file alone: with --endpoint-url'

/** The file as its user gets it, and an environment where nothing else configures the program. */
async function configured(
  planted: Planted,
  deps: FiringDeps,
): Promise<{ readonly file: string; readonly env: NodeJS.ProcessEnv }> {
  const file = await download(planted, deps, `${planted.id}.conf`)
  return {
    file,
    env: {
      PATH: process.env['PATH'],
      HOME: deps.folder,
      AWS_SHARED_CREDENTIALS_FILE: file,
      AWS_MAX_ATTEMPTS: '1',
    },
  }
}

/**
 * The file alone says where the endpoint is, and which region, to an aws that reads that there. Debian's 2.9 does not: it gets both
 * as options.
 */
async function asAws(planted: Planted, deps: FiringDeps, command: readonly string[]) {
  const { file, env } = await configured(planted, deps)
  const region = /^region\s*=\s*(\S+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? ''
  const options = ['--region', region, '--endpoint-url', planted.renders['endpoint_url'] ?? '']
  const { stdout, stderr } = await run('aws', [...(aws?.readsEndpoint ? [] : options), ...command], { env })
  return { said: stdout + stderr, region }
}

/** Each is another visit: aws names the command in its user agent. */
const COMMANDS: readonly (readonly [
  service: string,
  command: string,
  action: string | undefined,
  said: RegExp,
])[] = [
  ['sts', 'get-caller-identity', 'GetCallerIdentity', /arn:aws:iam::\d{12}:user\/[a-z0-9-]+/],
  ['s3', 'ls', 'ListBuckets', /\(AccessDenied\).* s3:ListAllMyBuckets/],
  ['iam', 'list-users', 'ListUsers', /\(AccessDenied\).* iam:ListUsers/],
  ['ec2', 'describe-instances', 'DescribeInstances', /\(UnauthorizedOperation\).* ec2:DescribeInstances/],
  ['dynamodb', 'list-tables', 'ListTables', /\(AccessDeniedException\).* dynamodb:ListTables/],
  // Versions differ in the path that they ask.
  ['lambda', 'list-functions', undefined, /\(AccessDeniedException\)/],
]

export const cloudKeys: readonly TokenProof[] = [
  ...COMMANDS.map(([service, command, action, said]): TokenProof => ({
    kind: 'cloud-a-id',
    program: `${AWS} ${service}, ${HOW}`,
    needs: ['aws'],
    logtype: '17012',
    async fire(planted, deps) {
      const used = await asAws(planted, deps, [service, command])
      assert.match(used.said, said)
      const { region } = used
      return { service, ...(action !== undefined && { action }), region, signature_valid: true }
    },
  })),
  {
    kind: 'cloud-a-id',
    program: 's3cmd',
    needs: ['s3cmd'],
    settings: { cloud_a_client: 's3cmd' },
    logtype: '17012',
    async fire(planted, deps) {
      const { file, env } = await configured(planted, deps)
      const { stderr } = await run('s3cmd', ['-c', file, 'ls'], { env })
      assert.match(stderr, /403 \(AccessDenied\)/)
      return { service: 's3', action: 'ListBuckets', signature_valid: true }
    },
  },
  {
    kind: 'cloud-a-id',
    program: 'rclone',
    needs: ['rclone'],
    settings: { cloud_a_client: 'rclone' },
    logtype: '17012',
    async fire(planted, deps) {
      const { file, env } = await configured(planted, deps)
      const options = ['--config', file, '--retries', '1', '--low-level-retries', '1']
      const { stderr } = await run('rclone', [...options, 'lsd', 'backup:'], { env })
      assert.match(stderr, /AccessDenied/)
      return { service: 's3', action: 'ListBuckets', signature_valid: true }
    },
  },
]

// Keys, apps and log-in pages of an account at a cloud: its own program uses them, and the account reports the use.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { cloudTrailEvent } from '../../../packages/tokens/test/fakes/cloudtrail-event.ts'
import { signInByMsal } from '../../../packages/tokens/test/fakes/msal.ts'
import type { Clouds } from '../lib/clouds.ts'
import { run } from '../lib/command.ts'
import { incidentWith } from '../lib/incidents.ts'
import { atHomeAndAway } from './clones.ts'
import { download, type FiringDeps, type Planted, type TokenProof } from './token-proof.ts'

/** Sign-ins are polled once a minute. */
const POLL_PATIENCE_MS = 100_000

/** Posts what SNS would post, to the address that the console names. */
async function deliver(body: string, { console }: FiringDeps): Promise<void> {
  const { json } = await console.get('/decoytokens/channels')
  const providers = json['providers'] as readonly { provider: string; feed_url: string }[]
  const url = providers.find(({ provider }) => provider === 'aws')?.feed_url ?? ''
  const response = await fetch(url, { method: 'POST', body })
  assert.equal(response.status, 200, await response.text())
}

/** The key as its user gets it works at the account, whose record of the call is delivered. */
async function useKey({ aws }: Clouds, planted: Planted, deps: FiringDeps) {
  await deliver(aws.confirmation(), deps)
  assert.equal(aws.confirmed.length, 1, 'the console did not confirm the subscription')
  const file = await download(planted, deps, `${planted.id}.credentials`)
  const env = {
    PATH: process.env['PATH'],
    HOME: deps.folder,
    AWS_MAX_ATTEMPTS: '1',
    AWS_SHARED_CREDENTIALS_FILE: file,
  }
  const { stdout, stderr } = await run(
    'aws',
    ['--region', 'us-east-1', '--endpoint-url', aws.url, 'sts', 'get-caller-identity'],
    { env },
  )
  assert.match(stdout, /arn:aws:iam::123456789012:user\/service\/[a-z0-9-]+/, stderr)
  const [used] = [...aws.account.keys].filter(([, { lastUse }]) => lastUse !== undefined)
  assert.ok(used, 'AWS saw no use of the key')
  const [accessKeyId, { lastUse }] = used
  const userIdentity = { type: 'IAMUser', accessKeyId }
  const record = { userIdentity, eventTime: new Date(lastUse?.at ?? 0).toISOString() }
  await deliver(aws.sns.notification(JSON.stringify(cloudTrailEvent(record))), deps)
  return {
    event_name: 'GetCallerIdentity',
    src_host: '203.0.113.9',
    event_source: 'sts.amazonaws.com',
    region: 'us-east-1',
    account: '123456789012',
    access_key_id: accessKeyId,
    error_code: '',
  }
}

async function signIn({ tenant }: Clouds, planted: Planted, deps: FiringDeps) {
  const archive = await download(planted, deps, 'service-principal.zip')
  const folder = join(deps.folder, 'service-principal')
  assert.equal((await run('unzip', ['-o', '-d', folder, archive])).code, 0)
  const read = async (name: string): Promise<string> => (await run('cat', [join(folder, name)])).stdout
  const config = JSON.parse(await read('service-principal.json')) as Record<string, string>
  const { tenant_id: tenantId = '', app_id: appId = '', certificate_file = '' } = config
  const { stdout } = await run('openssl', [
    'x509',
    '-noout',
    '-checkend',
    '0',
    '-in',
    join(folder, certificate_file),
  ])
  assert.match(stdout, /Certificate will not expire/)
  assert.ok(await signInByMsal(tenant, { tenantId, appId, pem: await read(certificate_file) }))
  const fields = {
    event_name: 'ServicePrincipalSignIn',
    src_host: '203.0.113.9',
    app_id: appId,
    status: '0',
    resource: 'Microsoft Graph',
    location: 'Utrecht, Utrecht, NL',
  }
  await incidentWith(deps.console, '17024', fields, planted.id, POLL_PATIENCE_MS)
  return fields
}

export const cloudAccounts = (clouds: Clouds): readonly TokenProof[] => [
  {
    kind: 'cloud-a-id',
    program: 'aws, own account',
    needs: ['aws'],
    settings: { cloud_a_account: 'own' },
    logtype: '17012',
    fire: (planted, deps) => useKey(clouds, planted, deps),
  },
  {
    kind: 'cloud-b-id',
    program: '@azure/msal-node',
    needs: ['unzip', 'openssl'],
    settings: { azure_id_cert_file_name: 'deploy.pem' },
    logtype: '17024',
    fire: (planted, deps) => signIn(clouds, planted, deps),
  },
  {
    kind: 'cloud-b-login',
    program: 'Chromium, installed',
    needs: ['chromium'],
    settings: { expected_referrer: 'home.example', cloud_b_install: true },
    logtype: '17026',
    async fire(planted, deps) {
      const css = clouds.tenant.branding?.css ?? ''
      const page = `<html><head><style>${css}</style></head><body>x</body></html>`
      await atHomeAndAway(planted, deps, page)
      return { referer_host: 'home.example.evil.test' }
    },
  },
]

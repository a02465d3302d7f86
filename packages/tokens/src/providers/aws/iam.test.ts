import { describe, expect, it } from 'vitest'
import { fakeOutbound } from '../../../test/fakes/outbound.ts'
import { openIam } from './iam.ts'
import { awsService, textIn } from './query.ts'
import { ADMIN_KEY, FAKE_ACCOUNT, fakeAws } from '../../../test/fakes/aws.ts'

const NOW = Date.UTC(2026, 10, 23, 9)
const TAG = 'rookery-token'
const clock = { now: () => NOW, after: () => () => undefined }

function open() {
  const fake = fakeAws(clock.now)
  const deps = { outbound: fakeOutbound(fake.answer), clock }
  const account = { key: ADMIN_KEY, endpoint: '' }
  return { fake, deps, account, iam: openIam(awsService(deps, account, 'iam'), '/service/') }
}

describe('a user of the account', () => {
  it('is created with a key that works, and of whom AWS tells the last use', async () => {
    const { iam, deps } = open()
    const { arn } = await iam.ensureUser('backup-1', { [TAG]: 'abc' })
    expect(arn).toBe(`arn:aws:iam::${FAKE_ACCOUNT}:user/service/backup-1`)
    const key = await iam.replaceKey('backup-1')
    expect(await iam.lastUse(key.accessKeyId)).toBeUndefined()
    const sts = awsService(deps, { key, endpoint: '' }, 'sts')
    expect(textIn(await sts('GetCallerIdentity'), 'Arn')).toBe(arn)
    expect(await iam.lastUse(key.accessKeyId)).toEqual({ at: NOW, service: 'sts', region: 'us-east-1' })
  })

  it('of an earlier try is taken, and its keys are replaced', async () => {
    const { iam, fake } = open()
    await iam.ensureUser('backup-1', { [TAG]: 'abc' })
    const lost = await iam.replaceKey('backup-1')
    await iam.ensureUser('backup-1', { [TAG]: 'abc' })
    const key = await iam.replaceKey('backup-1')
    expect([...fake.keys.keys()]).toEqual([key.accessKeyId])
    expect(key).not.toEqual(lost)
  })

  it('of somebody else is left alone', async () => {
    const { iam, fake } = open()
    fake.addUser('backup-1', { path: '/', tags: new Map() })
    await expect(iam.ensureUser('backup-1', { [TAG]: 'abc' })).rejects.toThrow(
      'AWS refused CreateUser with 409 EntityAlreadyExists: User with name backup-1 already exists.',
    )
    await iam.deleteUser('backup-1', { [TAG]: 'abc' })
    expect(fake.users.size).toBe(1)
  })

  it('is deleted with its keys, and a second time without an error', async () => {
    const { iam, fake } = open()
    await iam.ensureUser('backup-1', { [TAG]: 'abc' })
    const { accessKeyId } = await iam.replaceKey('backup-1')
    await iam.deleteUser('backup-1', { [TAG]: 'abc' })
    expect([fake.users.size, fake.keys.size]).toEqual([0, 0])
    await iam.deleteUser('backup-1', { [TAG]: 'abc' })
    expect(await iam.lastUse(accessKeyId)).toBeUndefined()
  })
})

describe('a refusal', () => {
  it('names the action, the code and the words of AWS', async () => {
    const { iam, fake, deps } = open()
    fake.fail('CreateAccessKey', 'LimitExceeded')
    await iam.ensureUser('backup-1', {})
    await expect(iam.replaceKey('backup-1')).rejects.toMatchObject({
      code: 'unavailable',
      awsCode: 'LimitExceeded',
      message: 'AWS refused CreateAccessKey with 400 LimitExceeded: CreateAccessKey fails in this test.',
    })
    const wrong = { key: { ...ADMIN_KEY, secretAccessKey: 'wrong' }, endpoint: 'https://aws.example/' }
    await expect(awsService(deps, wrong, 'iam')('ListUsers')).rejects.toThrow(
      'AWS refused ListUsers with 403 SignatureDoesNotMatch',
    )
  })

  it('is an answer that is no XML, too', async () => {
    const outbound = fakeOutbound(() => ({ status: 403, headers: {}, body: '<html><p>Bad gateway' }))
    const call = awsService({ outbound, clock }, { key: ADMIN_KEY, endpoint: '' }, 'iam')
    await expect(call('ListUsers')).rejects.toThrow('AWS refused ListUsers with 403 an answer that is no XML')
  })
})

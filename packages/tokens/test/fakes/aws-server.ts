// An account of AWS on loopback: IAM, STS, and SNS with its certificate and one topic.
import { fakeAws, type FakeAws } from './aws.ts'
import { serveFake, type FakeServer } from './server.ts'
import { fakeSns, newSnsKeys, TOPIC, type FakeSns } from './sns.ts'

export interface FakeAwsServer extends FakeServer {
  readonly account: FakeAws
  readonly sns: FakeSns
  /** Addresses at which the subscription was confirmed. */
  readonly confirmed: readonly string[]
  /** The body of the request that asks for a confirmation. */
  confirmation(): string
}

/** Of all accounts of a process: to make them takes longer than most tests. */
let keys: ReturnType<typeof newSnsKeys> | undefined

export async function openFakeAws(now: () => number): Promise<FakeAwsServer> {
  const account = fakeAws(now)
  const confirmed: string[] = []
  const server = await serveFake((request) => {
    const plain = (body: string) => ({ status: 200, headers: { 'Content-Type': 'text/plain' }, body })
    if (request.path.endsWith('.pem')) return plain(sns.certificatePem)
    if (!request.path.includes('Action=ConfirmSubscription')) return account.answer(request)
    confirmed.push(request.path)
    return plain('')
  })
  keys ??= newSnsKeys()
  const sns = fakeSns(now(), server.url, keys)
  return {
    ...server,
    account,
    sns,
    confirmed,
    confirmation: () =>
      sns.confirmation(`${server.url}/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=2336412f37`),
  }
}

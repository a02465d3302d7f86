// IAM and STS as far as tokens call them (IAM and STS API references), with signatures verified and errors as AWS names them.
import type { HttpAnswer, HttpVisit } from '../../src/channels/http/visit.ts'
import { carriedSignature, isSignedWith } from '../../src/sigv4/verify.ts'
import { escapedMarkup } from '../../src/xml/escape.ts'

interface FakeKey {
  readonly userName: string
  readonly secretAccessKey: string
  readonly createdAt: number
  lastUse?: { readonly at: number; readonly service: string; readonly region: string }
}

interface FakeUser {
  readonly path: string
  readonly tags: ReadonlyMap<string, string>
}

type Form = URLSearchParams

export interface FakeAws {
  readonly users: ReadonlyMap<string, FakeUser>
  readonly keys: ReadonlyMap<string, FakeKey>
  /** The actions that were called, in order. */
  readonly calls: readonly string[]
  answer(visit: Pick<HttpVisit, 'method' | 'path' | 'headers' | 'body'>): HttpAnswer
  /** From now on every call of the action fails with this code, until `undefined`. */
  fail(action: string, code: string | undefined): void
  /** From now on the action is done, and its answer says nothing. */
  answerEmpty(action: string): void
  addUser(userName: string, user: FakeUser): void
}

class FakeError extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export const FAKE_ACCOUNT = '123456789012'
export const ADMIN_KEY = {
  accessKeyId: 'AKIAIOSFODNN7CONSOLE',
  secretAccessKey: 'the secret of the administrator',
}

interface Account {
  readonly users: Map<string, FakeUser>
  readonly keys: Map<string, FakeKey>
  readonly calls: string[]
  readonly now: () => number
}

/** `now` gives the times of uses. Each key of its users works as well: it may call GetCallerIdentity alone. */
export function fakeAws(now: () => number): FakeAws {
  const account: Account = { users: new Map(), keys: new Map(), calls: [], now }
  const failures = new Map<string, string>()
  const empty = new Set<string>()
  return {
    ...account,
    answer(request) {
      const visit: HttpVisit = { ...request, channel: 'http', srcHost: '192.0.2.7', dstPort: 443 }
      const action = new URLSearchParams(visit.body ?? '').get('Action') ?? ''
      account.calls.push(action)
      try {
        const failure = failures.get(action)
        if (failure !== undefined) throw new FakeError(400, failure, `${action} fails in this test.`)
        const done = perform(account, visit, action)
        const result = empty.has(action) ? '' : done
        return xml(
          200,
          `<${action}Response xmlns="https://iam.amazonaws.com/doc/2010-05-08/"><${action}Result>${result}</${action}Result></${action}Response>`,
        )
      } catch (error) {
        if (!(error instanceof FakeError)) throw error
        const shown = element({ Type: 'Sender', Code: error.code, Message: escapedMarkup(error.message) })
        return xml(
          error.status,
          `<ErrorResponse><Error>${shown}</Error><RequestId>1</RequestId></ErrorResponse>`,
        )
      }
    },
    answerEmpty: (action) => empty.add(action),
    fail(action, code) {
      if (code === undefined) failures.delete(action)
      else failures.set(action, code)
    },
    addUser: (userName, added) => account.users.set(userName, added),
  }
}

function perform(account: Account, visit: HttpVisit, action: string): string {
  const owner = account.keys.get(signer(account, visit))?.userName
  const arn = owner === undefined ? `arn:aws:iam::${FAKE_ACCOUNT}:root` : arnOf(account, owner)
  if (action === 'GetCallerIdentity') return element({ Arn: arn, UserId: 'AIDAFAKE', Account: FAKE_ACCOUNT })
  const run = ACTIONS[action]
  if (!run) throw new FakeError(400, 'InvalidAction', `Could not find operation ${action}`)
  if (owner !== undefined)
    throw new FakeError(403, 'AccessDenied', `User: ${arn} is not authorized to perform: iam:${action}`)
  return run(account, new URLSearchParams(visit.body ?? ''))
}

/** The id of the key that signed the request. */
function signer({ keys, now }: Account, visit: HttpVisit): string {
  const carried = carriedSignature(visit)
  if (!carried)
    throw new FakeError(403, 'MissingAuthenticationToken', 'Request is missing Authentication Token')
  const key = keys.get(carried.accessKeyId)
  const secret =
    carried.accessKeyId === ADMIN_KEY.accessKeyId ? ADMIN_KEY.secretAccessKey : key?.secretAccessKey
  if (secret === undefined)
    throw new FakeError(403, 'InvalidClientTokenId', 'The security token included in the request is invalid.')
  if (isSignedWith(secret, visit, carried, '') !== true)
    throw new FakeError(403, 'SignatureDoesNotMatch', 'The request signature we calculated does not match.')
  if (key) key.lastUse = { at: now(), service: carried.service, region: carried.region }
  return carried.accessKeyId
}

const ACTIONS: Readonly<Record<string, (account: Account, form: Form) => string>> = {
  CreateUser(account, form) {
    const userName = form.get('UserName') ?? ''
    if (account.users.has(userName))
      throw new FakeError(409, 'EntityAlreadyExists', `User with name ${userName} already exists.`)
    account.users.set(userName, { path: form.get('Path') ?? '/', tags: tagsIn(form) })
    return element({ User: user(account, userName) })
  },
  GetUser: (account, form) => element({ User: user(account, named(account, form)) }),
  DeleteUser(account, form) {
    const userName = named(account, form)
    if (keysOf(account, userName).length > 0)
      throw new FakeError(409, 'DeleteConflict', 'Cannot delete entity, must delete access keys first.')
    account.users.delete(userName)
    return ''
  },
  ListUserTags(account, form) {
    const tags = [...(account.users.get(named(account, form))?.tags ?? [])]
    return element({
      IsTruncated: 'false',
      Tags: tags.map(([Key, Value]) => element({ member: element({ Key, Value }) })).join(''),
    })
  },
  CreateAccessKey(account, form) {
    const userName = named(account, form)
    if (keysOf(account, userName).length >= 2)
      throw new FakeError(409, 'LimitExceeded', 'Cannot exceed quota for AccessKeysPerUser: 2')
    const id = `AKIA${String(account.keys.size + account.calls.length).padStart(16, 'Q')}`
    const secretAccessKey = `secret of ${id}`
    account.keys.set(id, { userName, secretAccessKey, createdAt: account.now() })
    const shown = { UserName: userName, AccessKeyId: id, Status: 'Active', SecretAccessKey: secretAccessKey }
    return element({ AccessKey: element(shown) })
  },
  ListAccessKeys(account, form) {
    const userName = named(account, form)
    const list = keysOf(account, userName).map((id) =>
      element({ member: element({ UserName: userName, AccessKeyId: id, Status: 'Active' }) }),
    )
    return element({ IsTruncated: 'false', AccessKeyMetadata: list.join('') })
  },
  DeleteAccessKey(account, form) {
    const [userName, id] = [named(account, form), form.get('AccessKeyId') ?? '']
    if (account.keys.get(id)?.userName !== userName)
      throw new FakeError(404, 'NoSuchEntity', `The Access Key with id ${id} cannot be found.`)
    account.keys.delete(id)
    return ''
  },
  GetAccessKeyLastUsed(account, form) {
    const key = account.keys.get(form.get('AccessKeyId') ?? '')
    if (!key) throw new FakeError(404, 'NoSuchEntity', 'The Access Key cannot be found.')
    const used = key.lastUse
    const shown = used
      ? { LastUsedDate: new Date(used.at).toISOString(), ServiceName: used.service, Region: used.region }
      : { ServiceName: 'N/A', Region: 'N/A' }
    return element({ UserName: key.userName, AccessKeyLastUsed: element(shown) })
  },
}

function named({ users }: Account, form: Form): string {
  const userName = form.get('UserName') ?? ''
  if (!users.has(userName))
    throw new FakeError(404, 'NoSuchEntity', `The user with name ${userName} cannot be found.`)
  return userName
}

const arnOf = ({ users }: Account, userName: string): string =>
  `arn:aws:iam::${FAKE_ACCOUNT}:user${users.get(userName)?.path ?? '/'}${userName}`

const user = (account: Account, userName: string): string =>
  element({
    Path: account.users.get(userName)?.path ?? '/',
    UserName: userName,
    UserId: 'AIDAFAKE',
    Arn: arnOf(account, userName),
  })

const keysOf = ({ keys }: Account, userName: string): string[] =>
  [...keys].filter(([, key]) => key.userName === userName).map(([id]) => id)

const tagsIn = (form: Form): ReadonlyMap<string, string> =>
  new Map(
    [...form]
      .filter(([name]) => name.endsWith('.Key'))
      .map(([name, key]) => [key, form.get(name.replace(/Key$/, 'Value')) ?? '']),
  )

/** Elements whose content is markup. */
const element = (children: Readonly<Record<string, string>>): string =>
  Object.entries(children)
    .map(([name, content]) => `<${name}>${content}</${name}>`)
    .join('')

const xml = (status: number, body: string): HttpAnswer => ({
  status,
  headers: { 'Content-Type': 'text/xml' },
  body,
})

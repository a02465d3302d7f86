// Users without any permission, each of whom has the access key of a token (IAM API reference).
import { Fault } from '@rookery/kernel/fault.ts'
import { childrenOf } from '../../xml/find.ts'
import type { XmlElement } from '../../xml/parse.ts'
import type { AccessKey } from '../../sigv4/sign.ts'
import { AwsRefusal, findElement, textIn, type AwsCall } from './query.ts'

/** By name. */
export type Tags = Readonly<Record<string, string>>

export interface IamUser {
  readonly userName: string
  readonly arn: string
}

export interface KeyUse {
  /** Milliseconds UTC. */
  readonly at: number
  /** Such as `sts`. */
  readonly service: string
  readonly region: string
}

/** `path` is that of the users, such as `/service/`. */
export function openIam(call: AwsCall, path: string) {
  const tagsOf = async (userName: string): Promise<ReadonlyMap<string, string>> =>
    new Map(
      members(await call('ListUserTags', { UserName: userName }), 'Tags').map((tag) => [
        textIn(tag, 'Key'),
        textIn(tag, 'Value'),
      ]),
    )

  const deleteKeys = async (userName: string): Promise<void> => {
    const keys = members(await call('ListAccessKeys', { UserName: userName }), 'AccessKeyMetadata')
    for (const key of keys) {
      const named = { UserName: userName, AccessKeyId: textIn(key, 'AccessKeyId') }
      await unlessAbsent(call('DeleteAccessKey', named))
    }
  }

  return {
    /** Creates the user, or takes the one of an earlier try with the same tags. Throws where the name is another's. */
    async ensureUser(userName: string, tags: Tags): Promise<IamUser> {
      try {
        return userIn(await call('CreateUser', { UserName: userName, Path: path, ...tagParameters(tags) }))
      } catch (error) {
        if (!isRefusal(error, 'EntityAlreadyExists')) throw error
        if (!hasTags(await tagsOf(userName), tags)) throw error
        return userIn(await call('GetUser', { UserName: userName }))
      }
    },
    /** A new key, in place of all that the user has. */
    async replaceKey(userName: string): Promise<AccessKey> {
      await deleteKeys(userName)
      const result = await call('CreateAccessKey', { UserName: userName })
      const key = {
        accessKeyId: textIn(result, 'AccessKeyId'),
        secretAccessKey: textIn(result, 'SecretAccessKey'),
      }
      if (key.accessKeyId !== '' && key.secretAccessKey !== '') return key
      throw new Fault('unavailable', 'AWS answered CreateAccessKey without a key.')
    },
    /** Deletes the user and their keys, where they have these tags: anybody else's is left alone. */
    async deleteUser(userName: string, tags: Tags): Promise<void> {
      const found = await unlessAbsent(tagsOf(userName))
      if (!found || !hasTags(found, tags)) return
      await deleteKeys(userName)
      await unlessAbsent(call('DeleteUser', { UserName: userName }))
    },
    /** The last use of a key; undefined if it was never used, or is deleted. */
    async lastUse(accessKeyId: string): Promise<KeyUse | undefined> {
      const result = await unlessAbsent(call('GetAccessKeyLastUsed', { AccessKeyId: accessKeyId }))
      const at = Date.parse(textIn(result, 'LastUsedDate'))
      if (Number.isNaN(at)) return undefined
      return { at, service: textIn(result, 'ServiceName'), region: textIn(result, 'Region') }
    },
  }
}

export type Iam = ReturnType<typeof openIam>

const hasTags = (found: ReadonlyMap<string, string>, tags: Tags): boolean =>
  Object.entries(tags).every(([name, value]) => found.get(name) === value)

const userIn = (result: XmlElement): IamUser => ({
  userName: textIn(result, 'UserName'),
  arn: textIn(result, 'Arn'),
})

function members(result: XmlElement, list: string): XmlElement[] {
  const found = findElement(result, list)
  return found ? childrenOf(found, found.namespace, 'member') : []
}

const tagParameters = (tags: Tags): Record<string, string> =>
  Object.fromEntries(
    Object.entries(tags).flatMap(([name, value], at) => [
      [`Tags.member.${at + 1}.Key`, name],
      [`Tags.member.${at + 1}.Value`, value],
    ]),
  )

const isRefusal = (error: unknown, code: string): boolean =>
  error instanceof AwsRefusal && error.awsCode === code

/** Undefined where what is named does not exist. */
async function unlessAbsent<T>(called: Promise<T>): Promise<T | undefined> {
  try {
    return await called
  } catch (error) {
    if (isRefusal(error, 'NoSuchEntity')) return undefined
    throw error
  }
}

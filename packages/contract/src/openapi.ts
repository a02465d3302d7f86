// Folds the contract into an OpenAPI 3.1 document. A TypeBox schema is a JSON Schema.
import type { TObject, TSchema } from 'typebox'
import { BODY_LIMITS } from './body-limit.ts'
import { described, requiredNames } from './describe.ts'
import { fillExample } from './examples.ts'
import { aboutGroup, type Group, type Operation, type Role } from './operation.ts'

const PREFIX = '/api/v1'
const MEBIBYTE = 1024 * 1024
const ANY_KEY = [{ header: [] }, { bearer: [] }, { auth_token: [] }]

export const INTRODUCTION = `The API of a Rookery console.

**Parameters** can be sent in the query, as a urlencoded form, as \`multipart/form-data\` or as a JSON object, with every
method. They are merged: the query has precedence, and of duplicates the first counts. Unknown parameters are ignored.
Empty text counts as absent, and is a 400 if the parameter is required. Actions on many incidents refuse empty and unknown
parameters (400). Booleans are \`true\`, \`false\`, \`1\` or \`0\`. In a
JSON body a list may be an array. Every DELETE path also takes POST. A body may be 64 KiB long where an operation does not
say otherwise.

**Answers** are JSON with \`result\`, and the status is 200 on success. An error has \`message\` (what is wrong), \`error\` (its
kind) and \`details\` (parameter to reason). Checks are made in this order: key (401), rights (403), parameters (400),
existence (404), state (409).

**Keys** are sent in the header \`X-Auth-Token\`, in \`Authorization: Bearer\`, or in the parameter \`auth_token\`, in a
long body within the first 64 KiB. A key of type
indicators reads the list of sources and the TAXII collection alone, a read-only key can read, an analyst key can also act on incidents, an admin key can do everything. The key of a token factory
(\`factory_auth\`) can only create and download tokens in its Flock.`

/** Which keys may call, in words. */
const ROLE_SAYS: Readonly<Record<Role, string>> = {
  nobody: 'Needs no key.',
  person: 'Needs a session of a person; takes no key.',
  any: 'Any key.',
  indicators: 'A key of type indicators, or any other API key.',
  'read-only': 'Any API key.',
  analyst: 'Needs a key of type analyst or admin.',
  admin: 'Needs a key of type admin.',
  factory: 'Needs the key of a token factory (`factory_auth`), or one of type admin.',
}

/** Who may call it, in a sentence or two. */
export const rightsOf = ({ role, reach }: Pick<Operation, 'role' | 'reach'>): string =>
  reach === 'console' ? `${ROLE_SAYS[role]} Not for a key or a person limited to Flocks.` : ROLE_SAYS[role]

/** Of OpenAPI: an object for each method, by path. */
export type Paths = Record<string, Record<string, object>>

/** Adds the operations of one group. */
export function addPaths(paths: Paths, groupName: string, group: Group): void {
  for (const [name, operation] of Object.entries(group)) {
    const path = (paths[PREFIX + operation.path] ??= {})
    path[operation.method.toLowerCase()] = operationObject(
      aboutGroup(group).title,
      `${groupName}.${name}`,
      operation,
    )
  }
}

const pathsOf = (groups: Readonly<Record<string, Group>>): Paths => {
  const paths: Paths = {}
  for (const [name, group] of Object.entries(groups)) addPaths(paths, name, group)
  return paths
}

/** The OpenAPI 3.1 document of these groups; their titles are the tags. `paths`: those of all of them, if they are made already. */
export function openapi(
  groups: Readonly<Record<string, Group>>,
  version: string,
  paths: Paths = pathsOf(groups),
): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rookery',
      version,
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: ANY_KEY,
    tags: Object.values(groups).map((group) => {
      const { title, text } = aboutGroup(group)
      return { name: title, description: text }
    }),
    paths,
    components: { securitySchemes: SECURITY, schemas: { Error }, responses: { Error: ERROR_ANSWER } },
  }
}

const SECURITY = {
  header: { type: 'apiKey', in: 'header', name: 'X-Auth-Token', description: 'An API key' },
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key' },
  auth_token: { type: 'apiKey', in: 'query', name: 'auth_token', description: 'An API key' },
  factory_auth: {
    type: 'apiKey',
    in: 'query',
    name: 'factory_auth',
    description: 'The key of a token factory',
  },
}

const Error = {
  type: 'object',
  required: ['result', 'message', 'error', 'request_id'],
  properties: {
    result: { const: 'error' },
    message: { type: 'string', description: 'What is wrong, for people' },
    error: { type: 'string', description: 'Kind of the error, for programs' },
    details: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Parameter to reason',
    },
    request_id: { type: 'string', description: 'Id of the request in the log of the console' },
  },
}

const ERROR_ANSWER = {
  description: 'The request was refused, or failed',
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      example: {
        result: 'error',
        message: 'Parameter limit was invalid.',
        error: 'bad-input',
        details: { limit: 'must be a whole number of at least 1, not "many"' },
        request_id: '5a1f0c9be37d2486',
      },
    },
  },
}

function operationObject(tag: string, operationId: string, operation: Operation): object {
  const { method, title, role, aliases, deprecated } = operation
  const fields = Object.keys(operation.params.properties)
  const says = [
    rightsOf(operation),
    bodyLimit(operation),
    ...aliases.map((alias) => `Also at \`${PREFIX}${alias}\`.`),
  ]
    .filter(Boolean)
    .join(' ')
  return {
    operationId,
    tags: [tag],
    summary: title,
    description: says,
    ...(deprecated && { deprecated: true }),
    ...(role === 'factory' && { security: [{ factory_auth: [] }, ...ANY_KEY] }),
    ...(fields.length > 0 &&
      (method === 'GET' ? { parameters: inQuery(operation) } : { requestBody: inBody(operation) })),
    responses: {
      200: { description: 'Success', content: answerContent(operation) },
      default: { $ref: '#/components/responses/Error' },
    },
  }
}

/** Said where a body may be longer than usual. */
const bodyLimit = ({ maxBodyBytes }: Operation): string =>
  maxBodyBytes > BODY_LIMITS.small ? `Its body may be ${maxBodyBytes / MEBIBYTE} MiB long.` : ''

function inQuery({ params, example }: Operation): object[] {
  const required = requiredNames(params)
  const given = fillExample(example)
  return Object.entries(fieldsOf(params)).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(description !== undefined && { description }),
    required: required.has(name),
    schema,
    ...(name in given && { example: given[name] }),
  }))
}

/** The body as a form, as JSON, and as multipart if there is a file to send. */
function inBody({ params, example }: Operation): object {
  const properties = fieldsOf(params)
  const required = requiredNames(params)
  const given = fillExample(example)
  const isFile = ({ format }: Shown): boolean => format === 'binary'
  const body = (fields: [string, Shown][], values: object): object => ({
    schema: { type: 'object', required: [...required], properties: Object.fromEntries(fields) },
    ...(Object.keys(values).length > 0 && { example: values }),
  })
  const all = Object.entries(properties)
  const texts = all.filter(([, schema]) => !isFile(schema))
  // A form has an object as its JSON text.
  const asText = texts.map(([name, schema]): [string, Shown] =>
    schema.type === 'object' ? [name, { type: 'string', description: schema.description }] : [name, schema],
  )
  const asJson = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      properties[name]?.type === 'object' ? (JSON.parse(String(value)) as unknown) : value,
    ]),
  )
  return {
    required: required.size > 0,
    content: {
      'application/x-www-form-urlencoded': body(asText, given),
      'application/json': body(texts, asJson),
      ...(all.some(([, schema]) => isFile(schema)) && { 'multipart/form-data': body(all, given) }),
    },
  }
}

/** A union of texts becomes an `enum`, which every reader of OpenAPI understands. */
function asEnum({ anyOf, ...schema }: Shown): Shown {
  const choices = anyOf?.map((choice) => choice.const)
  if (choices?.every((choice) => typeof choice === 'string'))
    return { ...schema, type: 'string', enum: choices }
  return { ...schema, ...(anyOf && { anyOf }) }
}

interface Shown {
  readonly anyOf?: readonly { readonly const?: unknown }[]
  readonly enum?: readonly string[]
  readonly type?: string
  readonly format?: string
  readonly description?: string | undefined
}

/** The parameters with descriptions, without the keywords that only the console reads. */
function fieldsOf(params: TObject): Record<string, Shown> {
  const properties = described(params).properties as Record<string, TSchema>
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const {
        separator: _separator,
        says: _says,
        secret: _secret,
        ...shown
      } = schema as Shown & {
        separator?: string
        says?: object
        secret?: string
      }
      return [name, asEnum(shown)]
    }),
  )
}

function answerContent({ answer, answers }: Operation): object {
  const { properties = {}, required = [] } = described(answer) as {
    properties?: object
    required?: string[]
  }
  const result = { enum: ['success', 'progress'], description: 'success, or progress while work continues' }
  const schema = { type: 'object', required: ['result', ...required], properties: { result, ...properties } }
  return {
    'application/json': { schema },
    ...(answers === 'file' && {
      'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
    }),
  }
}

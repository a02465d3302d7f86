// Folds the contract to OpenAPI 3.1. A TypeBox schema is a JSON Schema already.
import type { TObject, TSchema } from 'typebox'
import type { Group, Operation } from './operation.ts'

const PREFIX = '/api/v1'
const ANY_KEY = [{ auth_token: [] }, { header: [] }, { bearer: [] }]

/** The OpenAPI 3.1 document of these groups; tags are the groups' names. */
export function openapi(groups: Readonly<Record<string, Group>>, version: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const [tag, group] of Object.entries(groups)) {
    for (const [name, operation] of Object.entries(group)) {
      const path = (paths[PREFIX + operation.path] ??= {})
      path[operation.method.toLowerCase()] = describe(tag, name, operation)
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Rookery', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    security: ANY_KEY,
    paths,
    components: {
      securitySchemes: {
        auth_token: { type: 'apiKey', in: 'query', name: 'auth_token' },
        factory_auth: { type: 'apiKey', in: 'query', name: 'factory_auth' },
        header: { type: 'apiKey', in: 'header', name: 'X-Auth-Token' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      schemas: { Error },
    },
  }
}

const Error = {
  type: 'object',
  required: ['result', 'message', 'error', 'request_id'],
  properties: {
    result: { const: 'error' },
    message: { type: 'string' },
    error: { type: 'string' },
    details: { type: 'object', additionalProperties: { type: 'string' } },
    request_id: { type: 'string' },
  },
}

function describe(tag: string, name: string, operation: Operation): object {
  const fields = Object.entries(operation.params.properties as Record<string, TSchema>)
  const required = requiredNames(operation.params)
  const example = operation.example.params ?? {}
  const parameters = fields.map(([field, schema]) => ({
    name: field,
    in: 'query',
    required: required.has(field),
    schema,
    ...(field in example && { example: example[field] }),
  }))
  const body = {
    schema: { type: 'object', required: [...required], properties: Object.fromEntries(fields) },
    ...(Object.keys(example).length > 0 && { example }),
  }
  const hasFile = fields.some(([, schema]) => (schema as { format?: string }).format === 'binary')
  const inBody = operation.method !== 'GET' && fields.length > 0
  return {
    operationId: `${tag}.${name}`,
    tags: [tag],
    summary: operation.title,
    description: `Least key type: ${operation.role}.`,
    ...(operation.deprecated && { deprecated: true }),
    ...(operation.role === 'factory' && { security: [{ factory_auth: [] }, ...ANY_KEY] }),
    ...(operation.method === 'GET' && parameters.length > 0 && { parameters }),
    ...(inBody && {
      requestBody: {
        required: required.size > 0,
        content: { [hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded']: body },
      },
    }),
    responses: {
      200: { description: 'Success', content: answerContent(operation) },
      default: {
        description: 'Error',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  }
}

function answerContent({ answer, answers }: Operation): object {
  const { properties = {}, required = [] } = answer as { properties?: object; required?: string[] }
  const schema = {
    type: 'object',
    required: ['result', ...required],
    properties: { result: { enum: ['success', 'progress'] }, ...properties },
  }
  return {
    'application/json': { schema },
    ...(answers === 'file' && {
      'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
    }),
  }
}

function requiredNames(params: TObject): Set<string> {
  const properties = params.properties as Record<string, object>
  return new Set(
    (params.required as string[] | undefined)?.filter((name) => !('default' in (properties[name] ?? {}))),
  )
}

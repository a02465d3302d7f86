// Whether answers are what the OpenAPI document says, judged by somebody else's validator, as a user's tool would.
import { hasSchema, registerSchema, validate, type OutputUnit } from '@hyperjump/json-schema/openapi-3-1'
import { groups } from '@rookery/contract/groups.gen.ts'
import { openapi } from '@rookery/contract/openapi.ts'

/** Any value that JSON can carry. */
type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

const DIALECT = 'https://spec.openapis.org/oas/3.1/schema-base'
const PLACE = 'https://rookery.test/openapi.json'

/** As it goes over the wire: what JSON cannot carry is not in it. */
const openapiDocument = JSON.parse(JSON.stringify(openapi(groups, '1.2.3'))) as Parameters<
  typeof registerSchema
>[0]
// The validator outlives this module where a test drops the modules of the process that they share.
if (!hasSchema(PLACE)) registerSchema(openapiDocument, PLACE, DIALECT)

/** What a document breaks of OpenAPI 3.1; nothing for a good one. */
export const brokenByDocument = (document: unknown): Promise<string[]> => broken(DIALECT, document)

/** What a success breaks of what the document says of it. */
export const brokenByAnswer = (method: string, path: string, answer: unknown): Promise<string[]> => {
  const steps = [
    'paths',
    `/api/v1${path}`,
    method.toLowerCase(),
    'responses',
    '200',
    'content',
    'application/json',
    'schema',
  ]
  return broken(`${PLACE}#/${steps.map(pointed).join('/')}`, answer)
}

/** What an error breaks. */
export const brokenByError = (answer: unknown): Promise<string[]> =>
  broken(`${PLACE}#/components/schemas/Error`, answer)

async function broken(schema: string, value: unknown): Promise<string[]> {
  const output = await validate(schema, value as Json, 'BASIC')
  if (output.valid) return []
  const { errors = [] } = output as { errors?: readonly OutputUnit[] }
  const say = ({ absoluteKeywordLocation, instanceLocation }: OutputUnit): string =>
    `${instanceLocation} against ${absoluteKeywordLocation}`
  return errors.length === 0 ? ['it is not valid'] : errors.map(say)
}

/** A step of a JSON pointer in a URL (RFC 6901, 3 and 6). */
const pointed = (step: string): string => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))

// The decoder for a content type.
import { Fault } from '@rookery/kernel/fault.ts'
import type { BodyDecoder } from './decoder.ts'
import { formDecoder } from './form.ts'
import { jsonDecoder } from './json.ts'
import { multipartDecoder } from './multipart.ts'

const JSON_KIND = 'application/json'

/** Without its parameters. */
const kindOf = (contentType: string): string => (contentType.toLowerCase().split(';')[0] ?? '').trim()

export const isJson = (contentType = ''): boolean => kindOf(contentType) === JSON_KIND

/** `isWanted`: whether the value of a parameter is used; a multipart body drops the others as they arrive. */
export function bodyDecoder(contentType = '', isWanted: (name: string) => boolean): BodyDecoder {
  const kind = kindOf(contentType)
  switch (kind) {
    case 'application/x-www-form-urlencoded':
    // curl's -d sends this type; a body without a type is read as a form, too.
    case '':
      return formDecoder()
    case JSON_KIND:
      return jsonDecoder()
    case 'multipart/form-data':
      return multipartDecoder(contentType, isWanted)
    default:
      throw new Fault(
        'unsupported-media-type',
        `Content type ${kind.slice(0, 80)} is not supported: send a form, multipart/form-data or application/json.`,
      )
  }
}

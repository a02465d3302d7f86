// What a client may send to Debian's Apache with the files of a skin.
import { ADDRESS_MASK, DATE_MASK, enduranceOf, FIELDS, PATHS, requestGrammar } from '../requests.ts'

export const vocabulary = { paths: PATHS, fields: FIELDS }

export const grammar = requestGrammar(
  [
    DATE_MASK,
    {
      name: 'boundary of ranges, and the length of a body that has it',
      hide: (text) =>
        text
          .replace(/(?<=--|boundary=)[\da-f]{12,16}/g, 'BOUNDARY')
          .replace(
            /^Content-Length: \d+\r\n(?=(?:.+\r\n)*Content-Type: multipart)/gm,
            'Content-Length: N\r\n',
          ),
    },
    // Apache lists its methods in the order of a hash table, whose seed is new at every start.
    {
      name: 'order inside Allow',
      hide: (text) =>
        text.replace(
          /^(Allow: )(.*)(?=\r\n)/gm,
          (_, name: string, methods: string) => name + methods.split(',').sort().join(),
        ),
    },
    ADDRESS_MASK,
  ],
  vocabulary,
)

export const endurance = enduranceOf('/login.html')

// Extension: what this group is for, in a sentence (or the section of the specification, as 4.12).
import Type from 'typebox'
import { get, group } from '@rookery/contract/operation.ts'

export const someName = group('Some name', 'What it is for, in a sentence.', {
  list: get(
    '/some-name/list',
    'read-only',
    'flock',
    'List what there is',
    {},
    Type.Object({ things: Type.Array(Type.String()) }),
  ),
})
